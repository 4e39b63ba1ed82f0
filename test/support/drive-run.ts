import { Drive, type DriveOptions } from '../../src/adapters/drive.js'
import type { RunEvent } from '../../src/domain/outcome.js'
import { FakeGuest, ManualClock } from '../../src/testing.js'
import { codec } from './codec.js'

type Functions = Readonly<Record<string, (args: unknown, context: { signal: AbortSignal }) => unknown>>

interface DriveRunOptions extends Partial<Omit<DriveOptions, 'clock' | 'namespaces'>> {
  readonly functions?: Functions
  readonly guest?: FakeGuest
}

/** A drive with a fake guest and a clock that stands still; the namespace is `tools`. */
export class DriveRun {
  readonly clock = new ManualClock()
  readonly events: RunEvent[] = []
  readonly guest: FakeGuest
  readonly drive: Drive

  constructor({ functions = {}, guest = new FakeGuest(), ...options }: DriveRunOptions = {}) {
    this.guest = guest
    this.drive = new Drive({
      namespaces: [{ global: 'tools', functions: new Map(Object.entries(functions)) }],
      bootLimits: { maxLogBytes: 65_536, maxValueBytes: 1_048_576 },
      maxBindingCalls: Number.POSITIVE_INFINITY,
      maxWallMs: 500,
      codec,
      onEvent: (event) => this.events.push(event),
      ...options,
      clock: this.clock,
    })
  }

  launch(launch: () => FakeGuest = () => this.guest): this {
    this.drive.accept()
    this.drive.begin()
    this.drive.launch('return 1', launch)
    return this
  }

  /** The program runs. */
  run(): this {
    this.launch()
    this.guest.transport.receive({ type: 'boot-ack' })
    return this
  }

  call(id: number, name: string, args: unknown = {}): void {
    this.guest.transport.receive({ type: 'call', id, global: 'tools', name, args })
  }

  done(value: unknown): void {
    this.guest.transport.receive({ type: 'done', value })
  }

  get replies(): object[] {
    return this.guest.transport.sent.filter(({ type }) => type === 'reply')
  }
}
