import { readFileSync } from 'node:fs'
import type { MarketState } from '@binnacle/engine'
import * as z from 'zod'
import { keepSoftState } from './soft-file.ts'

const Remembered = z.object({
  slow: z.number(),
  fast: z.number(),
  logPrices: z.record(z.string(), z.number()),
  premiums: z.array(z.number()),
})

/**
 * Where the simulated market's prices stood, so that a restart does not move them. Soft state: a file that is
 * missing or unreadable only means that prices begin where a new market's do.
 */
export function recallMarket(file: string): MarketState | undefined {
  try {
    return Remembered.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

export function rememberMarket(file: string, state: MarketState): Promise<void> {
  return keepSoftState(file, JSON.stringify(state))
}
