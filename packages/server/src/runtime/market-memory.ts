import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { MarketState } from '@binnacle/engine'
import * as z from 'zod'

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

export function rememberMarket(file: string, state: MarketState): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  } catch {
    // A full disk halts trading through the journal; prices alone are worth no alarm.
  }
}
