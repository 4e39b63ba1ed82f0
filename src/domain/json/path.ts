export type Step = string | number

const MOST_STEPS = 40
const LONGEST_KEY = 80
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** `$.rows[3].when`; the middle of a very deep path and the end of a very long key are left out. */
export const spellPath = (steps: readonly Step[]): string => {
  if (steps.length <= MOST_STEPS) return `$${spellSteps(steps)}`
  return `$${spellSteps(steps.slice(0, MOST_STEPS / 2))}…${spellSteps(steps.slice(-MOST_STEPS / 2))}`
}

const spellSteps = (steps: readonly Step[]): string => steps.map(spellStep).join('')

const spellStep = (step: Step): string => {
  if (typeof step === 'number') return `[${step}]`
  if (step.length > LONGEST_KEY) return `[${JSON.stringify(`${step.slice(0, LONGEST_KEY)}…`)}]`
  return IDENTIFIER.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
}
