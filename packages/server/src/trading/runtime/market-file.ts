import { readFileSync } from 'node:fs'
import type { MarketState } from '@binnacle/engine'
import * as z from 'zod'
import { writeSoftState } from './soft-file.ts'

const StoredMarket = z.object({
  slow: z.number(),
  fast: z.number(),
  logPrices: z.record(z.string(), z.number()),
  premiums: z.array(z.number()),
})

/**
 * The simulated market's last prices, so that a restart does not move them. Soft state: if the file is missing or
 * unreadable, prices start at those of a new market.
 */
export function readMarketState(file: string): MarketState | undefined {
  try {
    return StoredMarket.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

export function writeMarketState(file: string, state: MarketState): Promise<void> {
  return writeSoftState(file, JSON.stringify(state))
}
