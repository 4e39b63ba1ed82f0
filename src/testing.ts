export type { ConformanceBackend } from './testing/conformance/backend.js'
export { CAPABILITIES, type Capability } from './testing/conformance/capabilities.js'
export type { Programs, RuntimeOptions } from './testing/conformance/case.js'
export {
  type ConformanceMatrix,
  type ConformanceOutcome,
  type ConformanceResult,
  runConformance,
  type SectionResult,
} from './testing/conformance/matrix.js'
export { registerConformance, type TestRunner } from './testing/conformance/register.js'
export { RENDER_FORMATS, type RenderFormat, render as renderConformance } from './testing/conformance/render/render.js'
export {
  type ConformanceSection,
  type ConformanceTest,
  conformance,
  type Selection,
} from './testing/conformance/suite.js'
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
