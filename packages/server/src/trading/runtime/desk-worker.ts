// The engine thread: journal, venue, market and desk in one loop. Commands arrive and results leave as messages.

import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import {
  BUILT_IN_KINDS,
  createLatency,
  createRandom,
  createSimulatedAdapters,
  createSimulatedMarket,
  DEFAULT_LIMITS,
  encodeSnapshot,
  Fault,
  type HardState,
  type Instant,
  instantFromMs,
  type PlaceOrder,
  type RunningDesk,
  standardInstruments,
  type VenueId,
} from '@binnacle/engine'
import { CustomUpdateQueue, createCustomKind } from '@binnacle/sandbox'
import type { DeskWorkerOptions, Submission, ToDesk } from './desk-protocol.ts'
import { readMarketState, writeMarketState } from './market-file.ts'
import { MessageBatcher } from './message-batcher.ts'
import { openPersistentDesk } from './persistent-desk.ts'
import { repeat } from './repeat.ts'
import { SharedTimer } from './shared-timer.ts'
import { TradeBatch } from './trade-batch.ts'
import { wallClock } from './wall-clock.ts'
import { dailyTicks, WarmUpBars } from './warm-up-bars.ts'
import { readWarmUpBars, writeWarmUpBars } from './warm-up-file.ts'

/** The market moves ten times a second, and each step sends new figures to the API thread. */
const MARKET_STEP_MS = 100
/** Venue messages are delivered at this interval. Short, so that commands wait behind few of them. */
const TIMER_MS = 5
const SAVE_SOFT_STATE_MS = 5000
/** A halted desk tries its disk again at this interval. */
const RECOVER_MS = 2000
const VENUE_LATENCY_MS = 20
const STARTING_CASH = 100_000

if (parentPort === null) throw new Error('The desk runs in a worker thread')
const port = parentPort
// The thread may have been started before they were known.
const [options] = await once(port, 'message')
// The desk client sends exactly these options first.
const {
  paths,
  seed,
  daily,
  warmUpBars: recordedBars = [],
  linkSettings = new Map(),
} = options as DeskWorkerOptions

const batcher = new MessageBatcher((message) => port.postMessage(message))
const instruments = standardInstruments()
const random = createRandom(seed)
const savedState = readMarketState(paths.marketFile)
const market = createSimulatedMarket({
  instruments,
  random: random.fork('market'),
  at: instantFromMs(wallClock.now() - MARKET_STEP_MS),
  ...(savedState && { state: savedState }),
})
const trades = new TradeBatch(instruments)
const custom = new CustomUpdateQueue((updates) => batcher.postNow({ kind: 'custom', updates }))
const timers: (() => void)[] = []
let isStatePosted = false
let recorded = daily
/** Bars saved by the last run are newer than recorded ones, so they come last. */
const warmUpBars = new WarmUpBars([...recordedBars, ...readWarmUpBars(paths.barsFile, wallClock.now())])
const adapters = createSimulatedAdapters({
  instruments,
  latencyOf: (venue) => createLatency(VENUE_LATENCY_MS, random.fork(`latency ${venue}`)),
})
for (const [venue, settings] of linkSettings) adapters.configure(venue, settings, wallClock.now())
/** Commands received in this turn of the event loop. They share one commit with the venue messages that are due. */
const inbox: Submission[] = []
const timer = new SharedTimer()
let turn: NodeJS.Immediate | undefined

const persistent = await openPersistentDesk({
  paths,
  instruments,
  clock: wallClock,
  kinds: [...BUILT_IN_KINDS, createCustomKind(paths.strategiesFolder, (proxy) => custom.add(proxy))],
  venue: adapters,
  onState: postState,
  onEntries: (text) => batcher.addEntries(text),
  onHalt: () => queueMicrotask(() => batcher.postNow({ kind: 'halted', haltReason: desk.haltReason })),
  onWarning: (event, message) => batcher.postNow({ kind: 'log', event, message }),
  isBusy: () => inbox.length > 0,
})
const { desk } = persistent

warmUp()
if (desk.seq === 0) await openForTheFirstTime(desk)
// Quotes exist before the first command can arrive.
runMarketStep()
batcher.postNow({ kind: 'ready' })
port.on('message', onMessage)
every(MARKET_STEP_MS, runMarketStep)
every(TIMER_MS, () => {
  if (timer.tick()) scheduleTurn()
})
every(SAVE_SOFT_STATE_MS, saveSoftState)
every(RECOVER_MS, recoverIfHalted)

/** The API thread gets the recovered state once and follows by entries, also after a later recovery. */
function postState(state: HardState): void {
  if (!isStatePosted) batcher.postNow({ kind: 'opened', snapshot: encodeSnapshot(state) })
  isStatePosted = true
}

async function openForTheFirstTime(desk: RunningDesk): Promise<void> {
  const command = {
    type: 'OpenDesk',
    cash: STARTING_CASH,
    limits: DEFAULT_LIMITS,
    venues: ['BINANCE', 'BYBIT', 'OKX'],
  } as const
  await desk.submit(command, { by: 'server' }).catch(() => {
    throw new Fault('desk.halted', desk.haltReason ?? 'the desk could not be opened')
  })
}

function onMessage(message: ToDesk): void {
  if (message.kind === 'close') {
    void close()
    return
  }
  if (message.kind === 'preview') {
    preview(message.id, message.order).catch((fault) => failRequest('preview', message.id, fault))
    return
  }
  if (message.kind === 'configure-link') {
    adapters.configure(message.venue, message.settings, wallClock.now())
    return
  }
  if (message.kind === 'links') {
    batcher.postNow({ kind: 'links', id: message.id, links: adapters.links(wallClock.now()) })
    return
  }
  if (message.kind === 'test-link') {
    testLink(message.id, message.venue).catch((fault) => failRequest('test-link', message.id, fault))
    return
  }
  if (message.kind === 'daily-bars') {
    recorded = message.daily
    warmUp()
    return
  }
  if (message.kind === 'warm-up') {
    warmUpBars.add(message.bars)
    for (const bars of message.bars) desk.warmUp(bars)
    return
  }
  // Encoded by the desk client from its own types.
  inbox.push(...(JSON.parse(message.submissions) as Submission[]))
  scheduleTurn()
}

function scheduleTurn(): void {
  turn ??= setImmediate(runTurn)
}

function runTurn(): void {
  clearImmediate(turn)
  turn = undefined
  if (timer.beginTurn(inbox.length)) desk.accept({ kind: 'timer', at: wallClock.now() })
  for (const submission of inbox.splice(0)) submit(submission)
}

function submit({ id, command, sender }: Submission): void {
  desk.submit(command, sender).then(
    (outcome) => batcher.answer(id, outcome),
    (fault: Error) => batcher.fail(id, fault.message),
  )
}

async function preview(id: number, order: PlaceOrder): Promise<void> {
  // Commands received before it come first.
  runTurn()
  const outcome = await desk.preview(order)
  batcher.postNow({ kind: 'previewed', id, outcome })
}

async function testLink(id: number, venue: VenueId): Promise<void> {
  batcher.postNow({ kind: 'link-tested', id, steps: await adapters.test(venue) })
}

/** A request that changes nothing must not end the thread that trades. */
function failRequest(request: 'preview' | 'test-link', id: number, fault: unknown): void {
  const failure = fault instanceof Error ? fault.message : String(fault)
  batcher.postNow({ kind: 'request-failed', request, id, failure })
}

/** Daily bars and warm-up bars are soft state: a recovered engine has lost them. */
function warmUp(): void {
  for (const tick of dailyTicks(recorded)) desk.accept(tick)
  for (const bars of warmUpBars.all()) desk.warmUp(bars)
}

function runMarketStep(): void {
  const now = wallClock.now()
  advanceMarket(now)
  postFigures(now)
  persistent.projection.flushSoon()
}

function advanceMarket(now: Instant): void {
  market.advance(now, (tick) => {
    if (!adapters.isListed(tick.instrument)) return
    desk.accept(tick)
    trades.add(tick)
  })
}

function postFigures(now: Instant): void {
  batcher.postNow({ kind: 'figures', figures: desk.computeLiveFigures(), trades: trades.drain(), until: now })
}

async function recoverIfHalted(): Promise<void> {
  if (desk.haltReason === null) return
  warmUpBars.add(desk.getWarmUpBars())
  await desk.recover()
  if (desk.haltReason !== null) return
  warmUp()
  batcher.postNow({ kind: 'halted', haltReason: null })
}

async function saveSoftState(): Promise<void> {
  await writeMarketState(paths.marketFile, market.state())
  await writeWarmUpBars(paths.barsFile, desk.getWarmUpBars())
}

async function close(): Promise<void> {
  for (const stop of timers) stop()
  runTurn()
  await persistent.close()
  await saveSoftState()
  batcher.flush()
  port.close()
}

/** A failing disk has already halted the desk; the next run tries again. */
function every(ms: number, work: () => void | Promise<void>): void {
  const note = (message: string) => batcher.postNow({ kind: 'log', event: 'engine.work-failed', message })
  timers.push(repeat(ms, work, note))
}
