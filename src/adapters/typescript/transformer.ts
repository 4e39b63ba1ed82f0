import type { Transformed, Transformer } from '../../ports/transformer.js'
import { withMap } from './inline-map.js'
import { isPlainJavaScript } from './plain-javascript.js'
import { describeProblem } from './problem.js'
import { stopCompiler, toJavaScript } from './to-javascript.js'

/** The compiler's thread is shared: the last one out ends it. */
const users = new Set<SwcTransformer>()

/** TypeScript by swc; what is plain JavaScript already needs no swc. */
export class SwcTransformer implements Transformer {
  async transform(program: string): Promise<Transformed> {
    const source = program.replace(/^(\uFEFF?)#!/, '$1//')
    users.add(this)
    const outcome = isPlainJavaScript(source) ? { code: withMap(source, source) } : await toJavaScript(source)
    if ('code' in outcome) return { ok: true, code: outcome.code }
    return { ok: false, message: describeProblem(outcome.problem, program) }
  }

  async dispose(): Promise<void> {
    if (users.delete(this) && users.size === 0) await stopCompiler()
  }
}
