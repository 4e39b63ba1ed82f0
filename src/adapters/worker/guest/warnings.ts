const { apply } = Reflect
const { includes } = String.prototype
const OURS = 'vm.USE_MAIN_CONTEXT_DEFAULT_LOADER'

/** Node warns of the loader option that lets a program's `import()` work without a flag: that is not the program's news. */
export const hideOwnWarnings = (): void => {
  const { emitWarning } = process
  process.emitWarning = (...args: unknown[]): void => {
    const [warning] = args
    if (typeof warning !== 'string' || !apply(includes, warning, [OURS])) apply(emitWarning, process, args)
  }
}
