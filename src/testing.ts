export { FakeGuest } from './testing/fake-guest.js'
export { answering, type FakeLabels, FakeLauncher, type GuestScript } from './testing/fake-launcher.js'
export { FakeProcess, FakeProcessControl, type ProcessScript } from './testing/fake-process-control.js'
export {
  createFakeRuntime,
  type FakeRequest,
  type FakeRuntime,
  type FakeRuntimeOptions,
} from './testing/fake-runtime/create.js'
export type { FakeFailure, FakeRun, FakeScript } from './testing/fake-runtime/fake-run.js'
export type { FakeOutcome } from './testing/fake-runtime/outcome.js'
export { FakeTransport } from './testing/fake-transport.js'
export { ManualClock, type ManualClockOptions } from './testing/manual-clock.js'
