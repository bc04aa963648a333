import {
  BUILT_IN_KINDS,
  changeOf,
  createEngine,
  createMemoryJournal,
  createSimulatedAdapters,
  DEFAULT_LIMITS,
  type Desk,
  type Journal,
  Listeners,
  NO_SEQ,
  type OrderHistory,
  type RunningDesk,
  type StrategyLogLine,
  standardInstruments,
  startDeskLoop,
  type TimelineEntry,
  type Venue,
  viewStrategyLog,
  viewTimelineEntries,
} from '@binnacle/engine'
import { ReconciliationNotes } from '#trading/runtime/adapter-links.ts'
import { ChangeListeners } from '#trading/runtime/change-listeners.ts'
import type { DeskClient } from '#trading/runtime/desk-client.ts'
import { latestOfEachKind } from '#trading/runtime/strategy-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'

/** A desk in the calling thread without files, for checks and tests that bring their own market or need none. */
export interface InMemoryDesk extends DeskClient, Pick<RunningDesk, 'accept' | 'recover' | 'idle'> {}

export interface InMemoryDeskOptions {
  journal?: Journal
  orderHistory?: OrderHistory
  /** The simulated adapters unless given. */
  venue?: Venue
}

type TradeListener = Parameters<Desk['onTrades']>[0]

/** Without a log a listener's fault is its caller's. */
function rethrow(fault: unknown): never {
  throw fault
}

export async function openInMemoryDesk({
  journal = createMemoryJournal(),
  orderHistory,
  venue,
}: InMemoryDeskOptions = {}): Promise<InMemoryDesk> {
  const instruments = standardInstruments()
  const changes = new ChangeListeners(rethrow)
  const adapters = createSimulatedAdapters({ instruments })
  const reconciliations = new ReconciliationNotes()
  const tradeListeners = new Listeners<Parameters<TradeListener>>(rethrow)
  const desk = await startDeskLoop({
    instruments,
    createEngine: (state) => createEngine({ instruments, state }),
    clock: wallClock,
    venue: venue ?? adapters,
    journal,
    onEntry: (entry, views) => {
      reconciliations.apply(entry)
      changes.publish(() => changeOf(entry, views))
    },
    onHalt: () => changes.publish(() => ({ kind: 'reset', revision: desk.seq })),
  })
  const venues = ['BINANCE', 'BYBIT', 'OKX'] as const
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: DEFAULT_LIMITS, venues })
  // Nobody passes time here, and the connections wait for it.
  adapters.observe({ kind: 'timer', at: wallClock.now() })
  return {
    orderHistory: orderHistory ?? { ...EMPTY_ORDER_HISTORY, position: () => ({ seq: desk.seq, chain: 0 }) },
    kinds: BUILT_IN_KINDS,
    submit: (command, sender) => desk.submit(command, sender),
    preview: (order) => desk.preview(order),
    async orderTimeline(order) {
      const entries: TimelineEntry[] = []
      for await (const entry of journal.entriesAfter(NO_SEQ)) {
        entries.push(...viewTimelineEntries(entry, order, instruments))
      }
      return { entries, isComplete: true }
    },
    async strategyLog(strategy) {
      const lines: StrategyLogLine[] = []
      for await (const entry of journal.entriesAfter(NO_SEQ)) {
        lines.push(...viewStrategyLog(entry, strategy, instruments))
      }
      return latestOfEachKind(lines.reverse())
    },
    entriesAfter: (seq) => desk.entriesAfter(seq),
    accept(input) {
      desk.accept(input)
      const trades = input.kind === 'tick' && input.type === 'trade' ? [input] : []
      tradeListeners.call(trades, input.at)
      if (input.kind === 'tick') changes.publish(() => ({ kind: 'marks', revision: desk.seq }))
    },
    async recover() {
      await desk.recover()
      changes.publish(() => ({ kind: 'reset', revision: desk.seq }))
    },
    idle: () => desk.idle(),
    get views() {
      return desk.readViews()
    },
    onChange: (listener) => changes.add(listener),
    loadDailyBars: () => {},
    warmUp: () => {},
    adapters: {
      list: async () => reconciliations.addTo(adapters.links(wallClock.now())),
      configure: (venueId, settings) => adapters.configure(venueId, settings, wallClock.now()),
      test: (venueId) => adapters.test(venueId),
    },
    onTrades: (listener) => tradeListeners.add(listener),
    changed: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => desk.close(),
  }
}

const EMPTY_ORDER_HISTORY: Omit<OrderHistory, 'position'> = {
  page: () => [],
  count: () => ({ FILLED: 0, CANCELLED: 0, REJECTED: 0 }),
  find: () => null,
  findKey: () => null,
  fills: () => ({ rows: [], last: undefined }),
  closedPositions: () => ({ rows: [], last: undefined }),
}
