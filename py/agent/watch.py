"""Tells when the program, or a library, has imported a certain module."""

import sys


class Watch:
    """A finder that finds nothing itself."""

    def __init__(self, callbacks):
        self._callbacks = callbacks
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        """The spec of a watched module, its loader wrapped."""
        if name not in self._callbacks:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    loader = _Loader(spec.loader, lambda: self._imported(name))
                    spec.loader = loader  # pyright: ignore[reportAttributeAccessIssue]
                return spec
        return None

    def _imported(self, name):
        callback = self._callbacks.pop(name, None)
        if not self._callbacks and self in sys.meta_path:
            sys.meta_path.remove(self)
        if callback is not None:
            callback()


class _Loader:
    def __init__(self, loader, imported):
        self._loader, self._imported = loader, imported

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._imported()
