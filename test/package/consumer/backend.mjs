import { answering, FakeLauncher } from 'code-runtime/testing'

export default () => new FakeLauncher(answering({ value: 4 }))
