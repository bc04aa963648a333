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
  type Venue,
} from '@binnacle/engine'
import type { PastOrders } from '#storage/orders/order-history.ts'
import type { DeskClient } from './desk-client.ts'
import { wallClock } from './wall-clock.ts'

/** A desk in the calling thread without files, for checks and tests that bring their own market or need none. */
export interface InMemoryDesk extends DeskClient, Pick<RunningDesk, 'accept' | 'recover' | 'idle'> {}

export interface InMemoryDeskOptions {
  journal?: Journal
  pastOrders?: PastOrders
  /** The simulated venue unless given. */
  venue?: Venue
}

export async function openInMemoryDesk({
  journal = createMemoryJournal(),
  pastOrders,
  venue,
}: InMemoryDeskOptions = {}): Promise<InMemoryDesk> {
  const instruments = standardInstruments()
  const desk = await openDesk({
    instruments,
    createEngine: (state) => createEngine({ instruments, state }),
    clock: wallClock,
    venue: venue ?? createSimulatedVenue({ instruments }),
    journal,
  })
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  return {
    pastOrders: pastOrders ?? { ...NO_PAST_ORDERS, mark: () => ({ seq: desk.views.seq, chain: 0 }) },
    kinds: BUILT_IN_KINDS,
    submit: (command, sender) => desk.submit(command, sender),
    entriesAfter: (seq) => desk.entriesAfter(seq),
    accept: (input) => desk.accept(input),
    recover: () => desk.recover(),
    idle: () => desk.idle(),
    get views() {
      return desk.views
    },
    get haltedBecause() {
      return desk.haltReason
    },
    loadDailyBars: () => {},
    warmUp: () => {},
    onMinutes: () => {},
    changed: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => desk.close(),
  }
}

const NO_PAST_ORDERS: Omit<PastOrders, 'mark'> = {
  page: () => [],
  find: () => null,
  findKey: () => null,
  fills: () => ({ rows: [], last: undefined }),
  closedPositions: () => ({ rows: [], last: undefined }),
}
