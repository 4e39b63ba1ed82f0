import type { Target } from './target.js'
import { frames } from './targets/frames.js'
import { lifecycle } from './targets/lifecycle.js'
import { output } from './targets/output.js'
import { programs } from './targets/programs.js'
import { values } from './targets/values.js'

export const TARGETS: Readonly<Record<string, Target>> = { frames, output, values, programs, lifecycle }
