import { namespaceDefiner } from './namespace.js'
import type { Agent, RealmServices } from './services.js'

const FRAMES = [
  '{"type":"boot","maxLogBytes":1024,"maxValueBytes":1024,"namespaces":[{"global":"tools","names":["call"]}]}',
  '{"type":"run","program":"return 1"}',
]
const REPLY = '{"type":"reply","id":0,"ok":true,"value":1}'

interface Namespace {
  call(argument: object): unknown
}

/**
 * V8 compiles a function at its first call: a guest that waits takes the time for it before there is a run. Nothing of
 * it is left: the agent is one of its own, posts to nobody and defines no global.
 */
export const rehearse = (createAgent: (services: RealmServices) => Agent, services: RealmServices): void => {
  let tools: Namespace | undefined
  const agent = createAgent({
    ...services,
    post: () => {},
    endOutput: () => {},
    defineNamespace: namespaceDefiner((_name, namespace) => {
      tools = namespace as Namespace
    }),
  })
  for (const frame of FRAMES) agent.receive(frame)
  agent.print('stdout', 'rehearsal\n')
  tools?.call({ n: 1 })
  agent.receive(REPLY)
}
