import {
  BUILT_IN_KINDS,
  createEngine,
  createMemoryJournal,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  type Journal,
  openDesk,
  type RunningDesk,
  standardInstruments,
} from '@binnacle/engine'
import type { PastOrders } from '#storage/orders/order-history.ts'
import type { DeskHost } from './desk-host.ts'
import { wallClock } from './wall-clock.ts'

/** A desk in this thread that forgets: for checks and tests that bring their own market, or need none. */
export interface IdleDesk extends DeskHost, Pick<RunningDesk, 'accept' | 'recover' | 'idle'> {}

export interface IdleDeskOptions {
  journal?: Journal
  pastOrders?: PastOrders
}

export async function openIdleDesk({
  journal = createMemoryJournal(),
  pastOrders = NO_PAST,
}: IdleDeskOptions = {}): Promise<IdleDesk> {
  const instruments = standardInstruments()
  const desk = await openDesk({
    instruments,
    createEngine: (state) => createEngine({ instruments, state }),
    clock: wallClock,
    venue: createSimulatedVenue({ instruments }),
    journal,
  })
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  return {
    pastOrders,
    kinds: BUILT_IN_KINDS,
    submit: (command, asker) => desk.submit(command, asker),
    entriesAfter: (seq) => desk.entriesAfter(seq),
    accept: (input) => desk.accept(input),
    recover: () => desk.recover(),
    idle: () => desk.idle(),
    get views() {
      return desk.views
    },
    get haltedBecause() {
      return desk.haltedBecause
    },
    changed: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => desk.close(),
  }
}

const NO_PAST: PastOrders = { page: () => [], find: () => null }
