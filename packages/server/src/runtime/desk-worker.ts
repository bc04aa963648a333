import { parentPort, workerData } from 'node:worker_threads'
import {
  createEngine,
  createLatency,
  createRandom,
  createSimulatedMarket,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  encodeSnapshot,
  type HardState,
  openDesk,
  type RunningDesk,
  standardInstruments,
} from '@binnacle/engine'
import { openJournalStore } from '#storage/journal/journal-store.ts'
import type { DeskWorkerOptions, FromDesk, ToDesk } from './desk-protocol.ts'
import { recallMarket, rememberMarket } from './market-memory.ts'
import { wallClock } from './wall-clock.ts'

/** The engine's own thread: journal, venue, market and desk in one loop, answering by messages. */

/** About ten marks a second reach the screens; the market itself moves at the same pace. */
const MARKET_STEP_MS = 100
const TIMER_MS = 1000
const REMEMBER_MS = 5000
/** How often a halted desk looks whether its disk works again. */
const RECOVER_MS = 2000
const SNAPSHOT_EVERY_ENTRIES = 20_000
const VENUE_LATENCY_MS = 20
const STARTING_CASH = 100_000

if (parentPort === null) throw new Error('The desk runs in a worker thread')
const port = parentPort
// The host starts this file with exactly these options.
const options = workerData as DeskWorkerOptions

const instruments = standardInstruments()
const random = createRandom(options.seed)
const journal = openJournalStore(options.journalFile)
const remembered = recallMarket(options.marketFile)
const market = createSimulatedMarket({
  instruments,
  random: random.fork('market'),
  at: wallClock.now(),
  ...(remembered && { state: remembered }),
})
const timers: NodeJS.Timeout[] = []
let sinceSnapshot = 0
let isTold = false

const desk = await openDesk({
  instruments,
  createEngine: (state) => {
    tellState(state)
    return createEngine({ instruments, state })
  },
  clock: wallClock,
  venue: createSimulatedVenue({
    instruments,
    latency: createLatency(VENUE_LATENCY_MS, random.fork('latency')),
  }),
  journal,
  onEntries: (entries) => {
    tell({ kind: 'entries', entries })
    sinceSnapshot += entries.length
  },
  onHalt: () => queueMicrotask(() => tell({ kind: 'halted', because: desk.haltedBecause })),
})

if (desk.views.seq === 0) await openForTheFirstTime(desk)
port.on('message', (message: ToDesk) => void obey(message))
run(MARKET_STEP_MS, moveMarket)
run(TIMER_MS, () => desk.accept({ kind: 'timer', at: wallClock.now() }))
run(REMEMBER_MS, () => rememberMarket(options.marketFile, market.state()))
run(RECOVER_MS, recoverIfHalted)

/** The mirror starts from what was recovered and follows by entries; a later recovery tells it by entries too. */
function tellState(state: HardState): void {
  if (!isTold) tell({ kind: 'opened', snapshot: encodeSnapshot(state) })
  isTold = true
}

async function openForTheFirstTime(desk: RunningDesk): Promise<void> {
  const command = {
    type: 'OpenDesk',
    cash: STARTING_CASH,
    limits: DEFAULT_LIMITS,
    venues: ['BINANCE', 'BYBIT', 'OKX'],
  } as const
  await desk.submit(command, { by: 'server' })
}

async function obey(message: ToDesk): Promise<void> {
  if (message.kind === 'close') return close()
  const { id, command, asker } = message
  await desk.submit(command, asker).then(
    (outcome) => tell({ kind: 'answered', id, outcome }),
    (fault: Error) => tell({ kind: 'failed', id, message: fault.message }),
  )
  if (sinceSnapshot >= SNAPSHOT_EVERY_ENTRIES) await keepSnapshot()
}

function moveMarket(): void {
  market.advance(wallClock.now(), (tick) => desk.accept(tick))
  tell({ kind: 'soft', soft: desk.soft() })
}

async function recoverIfHalted(): Promise<void> {
  if (desk.haltedBecause === null) return
  await desk.recover()
  if (desk.haltedBecause === null) tell({ kind: 'halted', because: null })
}

async function keepSnapshot(): Promise<void> {
  sinceSnapshot = 0
  await desk.saveSnapshot()
}

async function close(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  await desk.idle()
  if (desk.haltedBecause === null) await keepSnapshot()
  rememberMarket(options.marketFile, market.state())
  desk.close()
  journal.close()
  tell({ kind: 'closed' })
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

function tell(message: FromDesk): void {
  port.postMessage(message)
}
