import type { ServiceIdentifier } from 'inversify'
import type { JsonCodec } from '../domain/json/codec.js'
import type { Clock } from './clock.js'
import type { Launcher } from './launcher.js'
import type { ProcessControl } from './process-control.js'
import type { Transformer } from './transformer.js'

const token = <Service>(name: string): ServiceIdentifier<Service> => Symbol.for(`code-runtime.${name}`)

export const TOKENS = {
  clock: token<Clock>('Clock'),
  codec: token<JsonCodec>('JsonCodec'),
  launcher: token<Launcher>('Launcher'),
  processControl: token<ProcessControl>('ProcessControl'),
  transformer: token<Transformer>('Transformer'),
}
