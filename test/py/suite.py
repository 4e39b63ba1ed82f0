"""Runs the suite under this interpreter: `python3 test/py/suite.py [pattern]`."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def run():
    """How many tests passed, failed and were skipped."""
    sys.path.insert(0, HERE)
    sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(HERE)), "py"))
    pattern = sys.argv[1] if len(sys.argv) > 1 else "test_*.py"
    tests = unittest.defaultTestLoader.discover(HERE, pattern, HERE)
    result = unittest.TextTestRunner(verbosity=0).run(tests)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    return result.testsRun - failed - skipped, failed, skipped


def main():
    """Prints the counts as the last line."""
    passed, failed, skipped = run()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
