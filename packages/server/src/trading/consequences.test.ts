import {
  COMPONENT_NAMES,
  createHardState,
  createSimulatedAdapters,
  createViews,
  DEFAULT_LINK,
  type Desk,
  type DeskChange,
  type InstrumentId,
  idFrom,
  instantFromMs,
  type MarketTick,
  MS_PER_DAY,
  NO_FAULTS,
  type OrderId,
  priceFromTicks,
  type Quantity,
  SERVICE_NAMES,
  type StrategyId,
  standardInstruments,
  VENUE_IDS,
  type VenueAdapter,
} from '@binnacle/engine'
import { createLab, type Lab } from '@binnacle/engine/testkit'
import { afterAll, expect, test } from 'vitest'
import { startSampler } from '#services/samples/sampler.ts'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { createDeskSamples } from './desk-samples.ts'
import { StreamHub } from './stream/stream-hub.ts'

type Order = ReturnType<Lab['order']>

const PERP = 'BTCUSDT-PERP'
const ELSEWHERE = 'BTCUSDT-PERP.OKX'
const HELD = 'ETHUSDT-PERP.BYBIT'
/** Enough for a value at risk. */
const RECORDED_DAYS = 40

interface Stoppable {
  readonly name: string
  stop(desk: TradingDesk): void
  start(desk: TradingDesk): void
}

const STOPPABLE: readonly Stoppable[] = [
  ...COMPONENT_NAMES.map((component) => ({
    name: component,
    stop: ({ lab }: TradingDesk) => void lab.run({ type: 'StopComponent', component }),
    start: ({ lab }: TradingDesk) => void lab.run({ type: 'StartComponent', component }),
  })),
  ...SERVICE_NAMES.map((service) => ({
    name: `${service} service`,
    stop: ({ lab }: TradingDesk) => void lab.run({ type: 'StopService', service }),
    start: ({ lab }: TradingDesk) => void lab.run({ type: 'StartService', service }),
  })),
  ...VENUE_IDS.map((venue) => ({
    name: `${venue} adapter`,
    stop: ({ lab }: TradingDesk) => void lab.run({ type: 'DisconnectVenue', venue }),
    start: ({ lab }: TradingDesk) => void lab.run({ type: 'ConnectVenue', venue }),
  })),
  {
    name: 'BINANCE connection lost',
    stop: ({ lab, adapter }) => {
      const faults = { ...NO_FAULTS, isDropped: true }
      adapter.configure('BINANCE', { ...DEFAULT_LINK, faults }, lab.now)
    },
    start: ({ lab, adapter }) => {
      adapter.configure('BINANCE', DEFAULT_LINK, lab.now)
      // The longest wait before a try.
      lab.wait(DEFAULT_LINK.reconnectMaxMs)
    },
  },
]

/** What can be tried while a market-making strategy trades at BINANCE and a position is held at BYBIT. */
const TRIED = [
  'market',
  'limit',
  'reduce',
  'cancel',
  'close',
  'other venue',
  'strategy',
  'prices',
  'P&L',
  'stream',
  'VaR',
  'recorded',
] as const
type Tried = (typeof TRIED)[number]
/** 'yes' or 'no'; 'gone' for an order that the stop itself has cancelled, 'reduces' for a strategy that only reduces. */
type Results = Readonly<Record<Tried, string>>

const EVERYTHING = resultsWith({})

/** The stated consequence of each stop (design.md 5), as what no longer works; all else goes on. */
const CONSEQUENCES: Readonly<Record<string, Results>> = {
  DataEngine: without('market', 'reduce', 'close', 'other venue', 'strategy', 'prices', 'P&L', 'stream'),
  ExecutionEngine: {
    ...without('market', 'limit', 'reduce', 'close', 'other venue', 'strategy'),
    cancel: 'gone',
  },
  RiskEngine: { ...without('market', 'limit', 'other venue'), strategy: 'reduces' },
  Portfolio: { ...without('market', 'limit', 'other venue', 'P&L', 'VaR', 'recorded'), strategy: 'reduces' },
  Cache: EVERYTHING,
  MessageBus: without('strategy', 'stream'),
  'market-data service': without('stream'),
  'order-execution service': without('market', 'limit', 'reduce', 'other venue'),
  'risk service': without('VaR'),
  'analytics service': without('recorded'),
  'BINANCE adapter': {
    ...without('market', 'limit', 'reduce', 'close', 'strategy', 'prices', 'stream'),
    cancel: 'gone',
  },
  'BYBIT adapter': without('P&L'),
  'OKX adapter': without('other venue'),
  'COINBASE adapter': EVERYTHING,
  'INTERACTIVE_BROKERS adapter': EVERYTHING,
  'BINANCE connection lost': without(
    'market',
    'limit',
    'reduce',
    'cancel',
    'close',
    'strategy',
    'prices',
    'stream',
  ),
}

const table: Record<string, Results> = {}
afterAll(() => process.stdout.write(`${printTable()}\n`))

test.each(STOPPABLE)(
  '[CONS-1] [CONS-2] $name stopped while a strategy trades has its stated consequence and no other; started again, all works and nothing is lost',
  async (stoppable) => {
    const desk = openTradingDesk()
    // Some are stopped on a new desk.
    stoppable.start(desk)
    expect(await tryAll(desk)).toEqual(EVERYTHING)
    const resting = rest(desk.lab)
    stoppable.stop(desk)
    const results = await tryAll(desk, resting)
    table[stoppable.name] = results
    expect(results).toEqual(CONSEQUENCES[stoppable.name])
    stoppable.start(desk)
    expect(await tryAll(desk)).toEqual(EVERYTHING)
    expectNothingLost(desk.lab)
  },
)

interface TradingDesk {
  readonly lab: Lab
  readonly adapter: VenueAdapter
  readonly strategy: StrategyId
  price: number
}

function openTradingDesk(): TradingDesk {
  const instruments = standardInstruments()
  const adapter = createSimulatedAdapters({ instruments })
  const lab = createLab({ traded: PERP, instruments, venue: adapter })
  const desk = { lab, adapter, price: 50_000 }
  recordDays(lab)
  moveMarket(desk)
  // Stopped on a new desk.
  lab.run({ type: 'StartService', service: 'risk' })
  lab.place({ instrument: HELD, quantity: 0.1 })
  lab.place({ quantity: 0.1 })
  return { ...desk, strategy: lab.runStrategy('market_making', { instrument: PERP, requote_s: 0.1 }) }
}

/** The daily bars of what is held, from which the value at risk is computed. */
function recordDays(lab: Lab): void {
  for (let day = RECORDED_DAYS; day > 0; day--) {
    for (const name of [PERP, ELSEWHERE, HELD]) {
      // Every other day falls by a tenth.
      const close = priceFromTicks(day % 2 === 0 ? 1_000_000 : 900_000)
      const bar: MarketTick = {
        kind: 'tick',
        type: 'bar',
        instrument: idFrom<InstrumentId>(name),
        interval: '1d',
        at: instantFromMs(lab.now - day * MS_PER_DAY),
        open: close,
        high: close,
        low: close,
        close,
        // One lot; the value at risk reads closes alone.
        volume: 1 as Quantity,
      }
      lab.process(bar)
    }
  }
}

function moveMarket(desk: Pick<TradingDesk, 'lab' | 'price'>, by = 0): void {
  desk.price += by
  const { lab, price } = desk
  lab.quote({ bid: price, ask: price + 0.1 })
  lab.quote({ instrument: ELSEWHERE, bid: price, ask: price + 0.1 })
  lab.quote({ instrument: HELD, bid: price / 20, ask: price / 20 + 0.1 })
}

function rest(lab: Lab): Order {
  return lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 })
}

async function tryAll(desk: TradingDesk, resting: Order = rest(desk.lab)): Promise<Results> {
  const { lab, strategy } = desk
  const isGone = lab.order(resting.id).state === 'CANCELLED'
  const eventsBefore = lab.events.length
  const bidBefore = bidOf(lab, PERP)
  // Longer than any cooldown after a denial; in steps, so that no quote is old.
  for (let turn = 0; turn < 20; turn++) {
    lab.wait(30_000)
    // Too little to fill the strategy's quotes: at its position limit it would quote one side only.
    moveMarket(desk, turn % 2 === 0 ? 15 : -10)
  }
  const isTaken = ({ id }: Order) => !['DENIED', 'REJECTED'].includes(lab.order(id).state)
  const trading = describeTrading(lab, strategy, eventsBefore)
  const isPriced = bidOf(lab, PERP) !== bidBefore
  const market = isTaken(lab.place({ quantity: 0.02 }))
  const limit = isTaken(rest(lab))
  const reduce = isTaken(lab.place({ side: 'SELL', quantity: 0.01, reduceOnly: true }))
  lab.run({ type: 'CancelOrder', orderId: resting.id })
  const isCancelled = lab.order(resting.id).state === 'CANCELLED'
  return {
    market: word(market),
    limit: word(limit),
    reduce: word(reduce),
    cancel: isGone ? 'gone' : word(isCancelled),
    close: word(closePart(lab)),
    'other venue': word(isTaken(lab.place({ instrument: ELSEWHERE, quantity: 0.001 }))),
    strategy: trading,
    prices: word(isPriced),
    'P&L': word(isPnlMoving(lab)),
    stream: word(isPriceStreamed(desk)),
    VaR: word(hasValueAtRisk(lab)),
    recorded: word(await isEquityRecorded(lab)),
  }
}

function word(works: boolean): string {
  return works ? 'yes' : 'no'
}

function without(...missing: readonly Tried[]): Results {
  return resultsWith(Object.fromEntries(missing.map((name) => [name, 'no'])))
}

function resultsWith(differing: Partial<Results>): Results {
  return {
    market: 'yes',
    limit: 'yes',
    reduce: 'yes',
    cancel: 'yes',
    close: 'yes',
    'other venue': 'yes',
    strategy: 'yes',
    prices: 'yes',
    'P&L': 'yes',
    stream: 'yes',
    VaR: 'yes',
    recorded: 'yes',
    ...differing,
  }
}

function bidOf(lab: Lab, name: string): number | undefined {
  return lab.engine.computeLiveFigures().marks.bid[lab.instruments.all.findIndex(({ id }) => id === name)]
}

/** A market maker quotes both sides; one that may only reduce quotes the side that reduces. */
function describeTrading(lab: Lab, strategy: StrategyId, since: number): string {
  const sides = new Set(
    lab.events
      .slice(since)
      .flatMap((event) =>
        event.type === 'OrderSubmitted' && event.terms.strategy === strategy ? event.terms.side : [],
      ),
  )
  return ['no', 'reduces', 'yes'][sides.size] ?? ''
}

function closePart(lab: Lab): boolean {
  const position = [...lab.state.positions.open.values()].find(
    ({ strategy, instrument }) => strategy === 'MANUAL' && instrument === PERP,
  )
  if (position === undefined) throw new Error('There is no position to close')
  const answer = lab.run({ type: 'ClosePosition', positionId: position.id, quantity: 0.01 })
  return answer.ok && answer.orderId !== null && lab.order(answer.orderId).state === 'FILLED'
}

/** Whether equity on the screens follows the price of a position that is held all the time. */
function isPnlMoving(lab: Lab): boolean {
  const views = createViews(lab.instruments, createHardState())
  const show = () => {
    for (const entry of lab.entries.slice(views.seq)) views.apply(entry)
    views.refresh(lab.engine.computeLiveFigures())
    return views.risk().equity
  }
  const bid = 2_500 + lab.entries.length
  const before = show()
  lab.quote({ instrument: HELD, bid, ask: bid + 0.1 })
  return show() !== before
}

/** The desk as the server follows it, of what the engine has journaled so far. */
function openDeskOf(lab: Lab) {
  const views = createViews(lab.instruments, createHardState())
  let follow: (change: DeskChange) => void = () => {}
  const refresh = () => {
    for (const entry of lab.entries.slice(views.seq)) views.apply(entry)
    views.refresh(lab.engine.computeLiveFigures())
    follow({ kind: 'marks', revision: views.seq })
  }
  const onChange = (listener: typeof follow) => {
    follow = listener
    return () => {}
  }
  refresh()
  // The stream and the samples read only these two.
  return { desk: { views, onChange } as unknown as Desk, views, refresh }
}

/** Whether a client of the stream receives the next price. */
function isPriceStreamed(trading: TradingDesk): boolean {
  const { desk, refresh } = openDeskOf(trading.lab)
  const hub = new StreamHub({ desk, traderId: 'TRADER-001' })
  const frames: string[] = []
  const client = hub.connect({
    bufferedBytes: 0,
    send: (frame) => void frames.push(String(frame)),
    ping() {},
    close() {},
  })
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['quotes'], instruments: [PERP] }))
  hub.flush()
  const before = frames.length
  trading.lab.wait(1_000)
  moveMarket(trading, 10)
  refresh()
  hub.flush()
  hub.close()
  return frames.slice(before).some((frame) => frame.includes(`"bid":${trading.price}`))
}

/** Whether the screens show a value at risk that the engine computed from the recorded days. */
function hasValueAtRisk(lab: Lab): boolean {
  return (openDeskOf(lab).views.risk().valueAtRisk ?? 0) > 0
}

/** Whether the samples store gets the equity of this second. */
async function isEquityRecorded(lab: Lab): Promise<boolean> {
  const { desk, views } = openDeskOf(lab)
  const samples = createSamples(openSamplesStore(':memory:'))
  const sources = [createDeskSamples(desk, samples.atStart, () => lab.now)]
  const sampler = startSampler({ samples, sources, now: () => lab.now })
  await sampler.tick()
  sampler.close()
  const from = Math.floor(lab.now / 1000)
  const range = { from, to: from + 1, resolutionS: 1, stepS: 1 } as const
  const { points } = await samples.query({ series: ['equity'], range, maxMarks: 0 })
  await samples.close()
  return points.get('equity')?.[0]?.last === views.risk().equity
}

/** Every position is the sum of its fills, and every order is finished or works at a venue. */
function expectNothingLost(lab: Lab): void {
  const terms = new Map<OrderId, Order['terms']>()
  const lots = new Map<string, number>()
  for (const event of lab.events) {
    if (event.type === 'OrderSubmitted') terms.set(event.orderId, event.terms)
    if (event.type !== 'OrderFilled') continue
    const order = terms.get(event.orderId)
    const key = `${order?.strategy} ${order?.instrument}`
    lots.set(key, (lots.get(key) ?? 0) + (order?.side === 'BUY' ? event.quantity : -event.quantity))
  }
  const open = [...lab.state.positions.open.values()].map(
    ({ strategy, instrument, quantity }) => [`${strategy} ${instrument}`, quantity] as const,
  )
  expect(new Map(open)).toEqual(new Map([...lots].filter(([, sum]) => sum !== 0)))
  expect([...lab.state.orders.working.values()].filter(({ state }) => state !== 'WORKING')).toEqual([])
  const differences = lab.events.flatMap((event) =>
    event.type === 'VenueReconciled' ? event.differences : [],
  )
  expect(differences).toEqual([])
}

function printTable(): string {
  const width = Math.max(...Object.keys(table).map((name) => name.length))
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell, index) => cell.padEnd((TRIED[index] ?? '').length))].join('  ')
  const rows = Object.entries(table).map(([name, results]) =>
    line(
      name,
      TRIED.map((each) => results[each]),
    ),
  )
  return ['', line('stopped', TRIED), ...rows].join('\n')
}
