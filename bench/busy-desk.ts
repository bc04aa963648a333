import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  createRandom,
  createSimulatedMarket,
  createSimulatedVenue,
  type Instant,
  instantFromMs,
  type MarketTick,
  standardInstruments,
} from '@binnacle/engine'
import { type DeskPaths, openPersistentDesk, type PersistentDesk } from '@binnacle/server'

/** A desk with its files in a folder that is gone afterwards, and a market of recorded ticks. */
export interface BusyDesk extends PersistentDesk {
  readonly folder: string
  /** Lets so many ticks go by. */
  pass(ticks: number): void
  /** Places so many market orders, which fill, and waits until all of it is durable. */
  trade(orders: number): Promise<void>
  /** Ends the desk and leaves its files. */
  close(): Promise<void>
}

const RECORDED_STEPS = 2000
const STEP_MS = 100
/** As many commands as go into one commit; 32 clients send about as many. */
const GROUP = 100
const BEGIN = Date.UTC(2026, 0, 5)
const NO_LIMIT = 1_000_000_000

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'binnacle-bench-'))
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true })
}

/** Where the server looks for its desk's files in a data folder. */
export function placeIn(dataFolder: string): DeskPaths {
  return {
    journalFile: join(dataFolder, 'journal.sqlite'),
    archiveFolder: join(dataFolder, 'journal-archive'),
    ordersFile: join(dataFolder, 'orders.sqlite'),
    marketFile: join(dataFolder, 'market.json'),
    barsFile: join(dataFolder, 'recent-bars.json'),
    strategiesFolder: join(dataFolder, 'strategies'),
  }
}

export async function openBusyDesk(folder: string): Promise<BusyDesk> {
  const instruments = standardInstruments()
  const ticks = recordTicks()
  let now: Instant = instantFromMs(BEGIN)
  const clock: Clock = { now: () => now }
  const persistent = await openPersistentDesk({
    paths: placeIn(folder),
    instruments,
    clock,
    venue: createSimulatedVenue({ instruments }),
  })
  const { desk } = persistent
  await desk.submit({
    type: 'OpenDesk',
    cash: NO_LIMIT,
    limits: {
      maxOrderSize: NO_LIMIT,
      maxPositionSize: NO_LIMIT,
      maxDailyLoss: NO_LIMIT,
      maxPositions: 1000,
    },
    venues: ['BINANCE', 'BYBIT', 'OKX'],
  })
  let next = 0
  let side: 'BUY' | 'SELL' = 'BUY'

  function pass(count: number): void {
    for (let passed = 0; passed < count; passed++) {
      const tick = ticks[next++ % ticks.length]
      if (tick === undefined) return
      now = instantFromMs(now + 1)
      desk.accept({ ...tick, at: now })
    }
  }

  return {
    ...persistent,
    folder,
    pass,
    async trade(orders) {
      for (let placed = 0; placed < orders; placed += GROUP) {
        const count = Math.min(GROUP, orders - placed)
        await Promise.all(Array.from({ length: count }, () => desk.submit(anOrder())))
        await desk.idle()
        // As the engine's thread does between two steps of the market.
        persistent.projection.flush()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }

  function anOrder() {
    side = side === 'BUY' ? 'SELL' : 'BUY'
    return {
      type: 'PlaceOrder',
      instrument: 'BTCUSDT',
      side,
      orderType: 'MARKET',
      quantity: 0.001,
    } as const
  }
}

/** Ticks of the simulated market, made beforehand so that making them is not part of a figure. */
export function recordTicks(): MarketTick[] {
  const instruments = standardInstruments()
  const at = instantFromMs(BEGIN)
  const market = createSimulatedMarket({ instruments, random: createRandom(1), at })
  const ticks: MarketTick[] = []
  for (let step = 1; step <= RECORDED_STEPS; step++) {
    market.advance(instantFromMs(at + step * STEP_MS), (tick) => ticks.push(tick))
  }
  return ticks
}
