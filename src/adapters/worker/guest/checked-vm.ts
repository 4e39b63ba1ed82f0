import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'

const { apply, construct } = Reflect
const ProgramFunction = Function
const ScriptProxy = Proxy
const CHECKED = ['runInContext', 'runInNewContext', 'runInThisContext', 'compileFunction'] as const

type Call = (...args: unknown[]) => unknown

/**
 * On Node 20 and 22 some texts that do not parse abort the whole process in `node:vm`. Each text is parsed by the
 * Function constructor first, which throws the same SyntaxError.
 */
export const checkVmTexts = (): void => {
  const { Script } = vm
  const handler: ProxyHandler<typeof Script> = {
    construct: (target, args, newTarget) => {
      checkText(args[0])
      return construct(target, args, newTarget)
    },
  }
  const checked = Object.fromEntries(CHECKED.map((name) => [name, withCheck(vm[name] as Call)]))
  Object.assign(vm, checked, { Script: new ScriptProxy(Script, handler) })
  syncBuiltinESMExports()
}

const withCheck =
  (original: Call): Call =>
  (...args) => {
    checkText(args[0])
    return apply(original, vm, args)
  }

const checkText = (text: unknown): void => {
  if (typeof text === 'string') new ProgramFunction(text)
}
