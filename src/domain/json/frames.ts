import type { Items } from './items.js'
import type { Members } from './members.js'

export type AnyFrame = Items | Members
