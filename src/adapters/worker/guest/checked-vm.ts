import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'

const { apply, construct } = Reflect
const ProgramFunction = Function
const ScriptProxy = Proxy

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
  const checked = Object.fromEntries(
    (['runInContext', 'runInNewContext', 'runInThisContext', 'compileFunction'] as const).map((name) => {
      const original = vm[name] as (...args: unknown[]) => unknown
      return [name, (...args: unknown[]) => (checkText(args[0]), apply(original, vm, args))]
    }),
  )
  Object.assign(vm, checked, { Script: new ScriptProxy(Script, handler) })
  syncBuiltinESMExports()
}

const checkText = (text: unknown): void => {
  if (typeof text === 'string') new ProgramFunction(text)
}
