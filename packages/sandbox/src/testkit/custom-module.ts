import { onTestFinished } from 'vitest'
import type { StrategyUpdate } from '#child/protocol.ts'
import { type ChildLimits, type CustomChild, startCustomChild } from '#custom-child.ts'
import { temporaryFolder } from './temporary-folder.ts'

const BTC = { id: 'BTCUSDT', venue: 'BINANCE', base: 'BTC', quote: 'USDT', minLots: 10 }
const INSTRUMENT = { ...BTC, tickUnits: 1_000_000, lotUnits: 1000 }
const BAR = { slot: 0, start: 60_000, open: 1, high: 1, low: 1, close: 5_000_000, volume: 7 }

export const TERMS = {
  strategy: 'S-1',
  instruments: [INSTRUMENT],
  intervalMs: 60_000,
  parameters: { bars: 3 },
  seed: 7,
}

/** A desk without positions and orders, and an update with one bar. */
export const EMPTY_DESK = { bids: [5_000_000], asks: [5_000_100], positions: [0], orders: [] }
export const ONE_BAR: StrategyUpdate = {
  now: 120_000,
  isLive: true,
  bars: [BAR],
  quotedSlots: [],
  desk: EMPTY_DESK,
}

/** A module that does this at every bar. */
export function atBar(body: string): string {
  return `export const createStrategy = () => ({ onBar(bar, desk) { ${body} } })`
}

interface Started {
  child: CustomChild
  printed: string[]
}

/** The process of a module with this text, ended with the test. */
export async function startModule(text: string, limits: Partial<ChildLimits> = {}): Promise<Started> {
  const printed: string[] = []
  const child = await startCustomChild({
    folder: temporaryFolder({ 'mine.ts': text, 'other.json': '{"level":3}' }),
    module: 'mine.ts',
    terms: TERMS,
    onPrinted: (line) => printed.push(line),
    limits,
  })
  onTestFinished(() => child.end())
  return { child, printed }
}
