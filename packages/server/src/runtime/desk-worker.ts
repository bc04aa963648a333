import { parentPort, workerData } from 'node:worker_threads'
import {
  BUILT_IN_KINDS,
  createLatency,
  createRandom,
  createSimulatedMarket,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  encodeSnapshot,
  Fault,
  type HardState,
  instant,
  type RunningDesk,
  standardInstruments,
} from '@binnacle/engine'
import { recallBars, rememberBars } from './bar-memory.ts'
import { createCustomKind } from './custom/custom-kind.ts'
import { CustomOutlet } from './custom/custom-outlet.ts'
import type { DeskWorkerOptions, Submission, ToDesk } from './desk-protocol.ts'
import { openKeptDesk } from './kept-desk.ts'
import { recallMarket, rememberMarket } from './market-memory.ts'
import { MinuteBars } from './minute-bars.ts'
import { Outbox } from './outbox.ts'
import { ToldPast } from './told-past.ts'
import { wallClock } from './wall-clock.ts'
import { dailyTicks } from './warm-up.ts'

/** The engine's own thread: journal, venue, market and desk in one loop, answering by messages. */

/** About ten marks a second reach the screens; the market itself moves at the same pace. */
const MARKET_STEP_MS = 100
/** What travels to venues and back arrives at this pace: little at a time, so that commands wait for little. */
const TIMER_MS = 5
const REMEMBER_MS = 5000
/** How often a halted desk looks whether its disk works again. */
const RECOVER_MS = 2000
const VENUE_LATENCY_MS = 20
const STARTING_CASH = 100_000

if (parentPort === null) throw new Error('The desk runs in a worker thread')
const port = parentPort
// The host starts this file with exactly these options.
const { place, seed, daily, past = [] } = workerData as DeskWorkerOptions

const outbox = new Outbox((message) => port.postMessage(message))
const instruments = standardInstruments()
const random = createRandom(seed)
const remembered = recallMarket(place.marketFile)
const market = createSimulatedMarket({
  instruments,
  random: random.fork('market'),
  at: instant(wallClock.now() - MARKET_STEP_MS),
  ...(remembered && { state: remembered }),
})
const minutes = new MinuteBars()
const custom = new CustomOutlet((told) => outbox.tell({ kind: 'custom', told }))
const timers: NodeJS.Timeout[] = []
let isTold = false
let recorded = daily
/** What strategies heard lately is nearer than what was recorded, so it is told last. */
const told = new ToldPast([...past, ...recallBars(place.barsFile, wallClock.now())])
/** Commands that wait for the turn to end: all that came by then share one commit. */
const inbox: Submission[] = []

const kept = await openKeptDesk({
  place,
  instruments,
  clock: wallClock,
  kinds: [...BUILT_IN_KINDS, createCustomKind(place.strategiesFolder, (hearing) => custom.note(hearing))],
  venue: createSimulatedVenue({
    instruments,
    latency: createLatency(VENUE_LATENCY_MS, random.fork('latency')),
  }),
  onState: tellState,
  onEntries: (text) => outbox.happened(text),
  onHalt: () => queueMicrotask(() => outbox.tell({ kind: 'halted', because: desk.haltedBecause })),
  onNote: (event, message) => outbox.tell({ kind: 'noted', event, message }),
})
const { desk } = kept

warmUp()
if (desk.views.seq === 0) await openForTheFirstTime(desk)
// There is a market when the first command can come.
moveMarket()
outbox.tell({ kind: 'ready' })
port.on('message', obey)
run(MARKET_STEP_MS, moveMarket)
run(TIMER_MS, () => desk.accept({ kind: 'timer', at: wallClock.now() }))
run(REMEMBER_MS, remember)
run(RECOVER_MS, recoverIfHalted)

/** The mirror starts from what was recovered and follows by entries; a later recovery tells it by entries too. */
function tellState(state: HardState): void {
  if (!isTold) outbox.tell({ kind: 'opened', snapshot: encodeSnapshot(state) })
  isTold = true
}

async function openForTheFirstTime(desk: RunningDesk): Promise<void> {
  const command = {
    type: 'OpenDesk',
    cash: STARTING_CASH,
    limits: DEFAULT_LIMITS,
    venues: ['BINANCE', 'BYBIT', 'OKX'],
  } as const
  await desk.submit(command, { by: 'server' }).catch(() => {
    throw new Fault('desk.halted', desk.haltedBecause ?? 'the desk could not be opened')
  })
}

function obey(message: ToDesk): void {
  if (message.kind === 'close') {
    void close()
    return
  }
  if (message.kind === 'warm') {
    recorded = message.daily
    warmUp()
    return
  }
  if (message.kind === 'prime') {
    told.add(message.bars)
    for (const bars of message.bars) desk.prime(bars)
    return
  }
  if (inbox.length === 0) setImmediate(submitAll)
  // The host wrote them, from its own types.
  inbox.push(...(JSON.parse(message.submissions) as Submission[]))
}

function submitAll(): void {
  for (const submission of inbox.splice(0)) submit(submission)
}

function submit({ id, command, asker }: Submission): void {
  desk.submit(command, asker).then(
    (outcome) => outbox.answer(id, outcome),
    (fault: Error) => outbox.fail(id, fault.message),
  )
}

/** Soft state, so an engine that was made anew has to hear of it again. */
function warmUp(): void {
  for (const tick of dailyTicks(recorded)) desk.accept(tick)
  for (const bars of told.all()) desk.prime(bars)
}

function moveMarket(): void {
  const now = wallClock.now()
  market.advance(now, (tick) => {
    desk.accept(tick)
    minutes.hear(tick)
  })
  const finished = minutes.takeFinished(now)
  if (finished.length > 0) outbox.tell({ kind: 'minutes', minutes: finished })
  outbox.tell({ kind: 'soft', soft: desk.soft() })
  kept.projection.flush()
}

async function recoverIfHalted(): Promise<void> {
  if (desk.haltedBecause === null) return
  told.add(desk.recentBars())
  await desk.recover()
  if (desk.haltedBecause !== null) return
  warmUp()
  outbox.tell({ kind: 'halted', because: null })
}

async function remember(): Promise<void> {
  await rememberMarket(place.marketFile, market.state())
  await rememberBars(place.barsFile, desk.recentBars())
}

async function close(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  submitAll()
  await kept.close()
  await remember()
  outbox.tell({ kind: 'closed' })
  port.close()
}

function run(everyMs: number, work: () => void | Promise<void>): void {
  let isBusy = false
  timers.push(
    setInterval(async () => {
      if (isBusy) return
      isBusy = true
      // A disk that fails has already halted the desk; the next turn looks again.
      await Promise.resolve(work()).catch(() => {})
      isBusy = false
    }, everyMs),
  )
}
