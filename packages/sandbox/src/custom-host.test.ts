import {
  type Command,
  type Event,
  idFrom,
  type JournalEntry,
  type StrategyId,
  seqFrom,
} from '@binnacle/engine'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { CustomHost, type CustomHostOptions } from './custom-host.ts'
import type { CustomStrategyUpdates } from './custom-update-queue.ts'

const PATIENCE = { timeout: 120_000, interval: 20 }
const BTC = { id: 'BTCUSDT', venue: 'BINANCE', base: 'BTC', quote: 'USDT', minLots: 10 }
const INSTRUMENTS = [{ ...BTC, tickUnits: 1_000_000, lotUnits: 1000 }]

function aHost(module: string, options: Partial<CustomHostOptions> = {}) {
  const submitted: Command[] = []
  const logged: string[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(line) })
  const host = new CustomHost({
    folder: temporaryFolder({ 'mine.ts': module }),
    logger,
    submit: async (command) => {
      submitted.push(command)
      return { ok: true, orderId: null, revision: null, repeats: null }
    },
    ...options,
  })
  onTestFinished(() => host.close())
  return { host, submitted, logged }
}

function quotes(strategy: string, run: number, now = 1000): CustomStrategyUpdates {
  const desk = { bids: [5_000_000], asks: [5_000_100], positions: [0], orders: [] }
  const updates = [{ now, isLive: true, bars: [], quotedSlots: [0], desk }]
  const terms = { module: 'mine.ts', instruments: INSTRUMENTS, intervalMs: 1000, parameters: {} }
  return { strategy: idFrom<StrategyId>(strategy), run, terms, updates }
}

function entry(event: Event): JournalEntry {
  const by = { by: null, requestId: null }
  return { seq: seqFrom(1), at: 0, version: 1, ...by, events: [event] } as unknown as JournalEntry
}

const BUYS = 'export const createStrategy = () => ({ onQuote(quote, desk) { desk.buy(1) } })'

test('[CUST-7] what a module wants is submitted for its strategy', async () => {
  const { host, submitted } = aHost(BUYS)
  host.deliver([quotes('S-1', 1)])
  await vi.waitFor(() => expect(submitted).toHaveLength(1), PATIENCE)
  const intent = { type: 'place', slot: 0, side: 'BUY', lots: 100_000, options: { price: null } }
  const instruments = ['BTCUSDT']
  expect(submitted).toEqual([{ type: 'SubmitIntents', strategy: 'S-1', intents: [intent], instruments }])
})

test('[CUST-7] what still comes of a run that ended starts nothing, a later run does', async () => {
  const { host, submitted } = aHost(BUYS)
  host.deliver([quotes('S-1', 1)])
  host.follow([entry({ type: 'StrategyStopped', strategy: idFrom('S-1'), why: null, before: 'running' })])
  host.deliver([quotes('S-1', 1)])
  host.deliver([quotes('S-2', 2)])
  await vi.waitFor(() => expect(submitted).toHaveLength(1), PATIENCE)
  host.deliver([quotes('S-1', 3)])
  await vi.waitFor(() => expect(submitted).toHaveLength(2), PATIENCE)
  expect(submitted).toMatchObject([{ strategy: 'S-2' }, { strategy: 'S-1' }])
})

test('[CUST-8] one more than may run at once fails with the number, the others go on', async () => {
  const { host, submitted } = aHost(BUYS, { maxRuns: 1 })
  host.deliver([quotes('S-1', 1)])
  host.deliver([quotes('S-2', 2)])
  await vi.waitFor(() => expect(submitted).toHaveLength(2), PATIENCE)
  expect(submitted).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'SubmitIntents', strategy: 'S-1' }),
      {
        type: 'FailStrategy',
        strategy: 'S-2',
        reason: 'was not started: at most 1 custom strategies run at once',
      },
    ]),
  )
})

test('[CUST-5] [CUST-18] of what a module prints only so much is logged, under its id', async () => {
  const { host, submitted, logged } = aHost(
    `export const createStrategy = () => ({ onQuote(quote, desk) {
      for (let i = 0; i < 19; i++) console.log('x'.repeat(1000))
      if (desk.now > 20) desk.buy(1)
    } })`,
  )
  for (let now = 1; now <= 21; now++) {
    host.deliver([quotes('S-1', 1, now)])
    await new Promise((resolve) => setImmediate(resolve))
  }
  await vi.waitFor(() => expect(submitted).toHaveLength(1), PATIENCE)
  expect(logged.length).toBeGreaterThan(0)
  // Of 399, fifty at once and one more a second.
  expect(logged.length).toBeLessThan(200)
  const said = { event: 'strategy.said', strategy: 'S-1', line: 'x'.repeat(500) }
  expect(JSON.parse(logged[0] ?? '')).toMatchObject(said)
})
