import {
  createEngine,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  type Engine,
  type Input,
  instantFromMs,
  type MarketTick,
  standardInstruments,
  type VenueRequest,
} from '@binnacle/engine'
import { openBusyDesk, recordTicks, removeFolder, temporaryFolder } from './busy-desk.ts'
import { percentile, rounded } from './figures.ts'

/** How many ticks go through the engine in a second, and how long it takes from a tick to the order that answers it. */

const TICKS = 2_000_000
const ANSWERED = 20_000
const DURABLE = 2_000

const ORDER = {
  type: 'PlaceOrder',
  instrument: 'BTCUSDT',
  side: 'BUY',
  orderType: 'MARKET',
  quantity: 0.001,
} as const

const instruments = standardInstruments()
const ticks = recordTicks()

const bare = rateOf(() => countBids(ticks))
const quietEngine = openEngine()
const quiet = rateOf(() => processAll(quietEngine, ticks))
const heldEngine = openEngine()
buy(heldEngine)
const held = rateOf(() => processAll(heldEngine, ticks))
const venueEngine = openEngine()
const withVenue = rateOf(() => processWithVenue(venueEngine, ticks))

console.table({
  'a loop over the ticks that adds up bids': rateRow(bare),
  'engine, no position': rateRow(quiet),
  'engine, a position to be marked': rateRow(held),
  'engine and simulated venues': rateRow(withVenue),
})

const inEngine = answerTicks(openEngine())
const folder = await temporaryFolder()
const durable = await answerDurably(folder)
await removeFolder(folder)
console.table({
  'from tick to approved order, in the engine': timesRow(inEngine),
  'from tick to durable order at the venue': timesRow(durable),
})

function rateRow(perSecond: number) {
  return { 'ticks/s': Math.round(perSecond), 'share of the loop': rounded(perSecond / bare) }
}

function timesRow(timesUs: readonly number[]) {
  return { 'p50 µs': rounded(percentile(timesUs, 50)), 'p99 µs': rounded(percentile(timesUs, 99)) }
}

/** Runs it once to warm up, then as often as makes the number of ticks, and takes the processor's time, not the clock's. */
function rateOf(work: () => unknown): number {
  work()
  const times = Math.ceil(TICKS / ticks.length)
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) work()
  const { user, system } = process.cpuUsage(before)
  return (times * ticks.length) / ((user + system) / 1e6)
}

function countBids(all: readonly MarketTick[]): number {
  let sum = 0
  for (const tick of all) if (tick.type === 'quote') sum += tick.bid
  return sum
}

function processAll(engine: Engine, all: readonly MarketTick[]): void {
  for (const tick of all) engine.process(tick)
}

function processWithVenue(engine: Engine, all: readonly MarketTick[]): void {
  const venue = createSimulatedVenue({ instruments })
  venue.onReports((reports, at) => void engine.process({ kind: 'reports', at, reports }))
  for (const tick of all) {
    engine.process(tick)
    venue.observe(tick)
  }
}

function openEngine(): Engine {
  const engine = createEngine({ instruments })
  execute(engine, {
    type: 'OpenDesk',
    cash: 1_000_000,
    limits: { ...DEFAULT_LIMITS, maxPositionSize: 1_000_000_000, maxOrderSize: 1_000_000 },
    venues: ['BINANCE', 'BYBIT', 'OKX'],
  })
  return engine
}

function execute(
  engine: Engine,
  command: Extract<Input, { kind: 'command' }>['command'],
  at = instantFromMs(0),
) {
  return engine.process({ kind: 'command', at, by: null, requestId: null, command })
}

function buy(engine: Engine): void {
  const venue = createSimulatedVenue({ instruments })
  venue.onReports((reports, at) => void engine.process({ kind: 'reports', at, reports }))
  const send = (messages: readonly VenueRequest[], at: MarketTick['at']) => {
    for (const message of messages) venue.send(message, at)
  }
  send(engine.createResendRequests(), instantFromMs(0))
  for (const tick of ticks.slice(0, 200)) {
    engine.process(tick)
    venue.observe(tick)
  }
  const at = ticks[199]?.at ?? instantFromMs(0)
  send(execute(engine, ORDER, at).outbox, at)
}

/** Each tick is answered with an order; the time is until the order is approved and ready to go out. */
function answerTicks(engine: Engine): number[] {
  const timesUs: number[] = []
  processAll(engine, ticks.slice(0, 200))
  for (let count = 0; count < ANSWERED; count++) {
    const tick = ticks[200 + (count % (ticks.length - 200))]
    if (tick === undefined) break
    const startMs = performance.now()
    engine.process(tick)
    const { outbox } = execute(engine, { ...ORDER, side: count % 2 === 0 ? 'BUY' : 'SELL' }, tick.at)
    timesUs.push((performance.now() - startMs) * 1000)
    if (outbox.length === 0) throw new Error('an order was refused')
  }
  return timesUs
}

/** The same with the whole desk: the order is on the disk before it goes out. */
async function answerDurably(folder: string): Promise<number[]> {
  const busy = await openBusyDesk(folder)
  busy.pass(200)
  const timesUs: number[] = []
  for (let count = 0; count < DURABLE; count++) {
    const startMs = performance.now()
    busy.pass(1)
    await busy.desk.submit({ ...ORDER, side: count % 2 === 0 ? 'BUY' : 'SELL' })
    timesUs.push((performance.now() - startMs) * 1000)
  }
  await busy.close()
  return timesUs
}
