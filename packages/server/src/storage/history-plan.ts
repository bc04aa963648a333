import { existsSync, readFileSync } from 'node:fs'
import type { MarketState } from '@binnacle/engine'
import * as z from 'zod'
import { replaceFile } from './durable-files.ts'

const Plan = z.object({
  version: z.literal(1),
  seed: z.int(),
  /** 00:00 UTC of the first day, in milliseconds. */
  from: z.int().nonnegative(),
  days: z.int().positive(),
  /** Minutes of the day after them; they are stored with the last day. Earlier versions had none. */
  lastMinutes: z.int().nonnegative().default(0),
  /** Number of days already in the catalog. */
  stored: z.int().nonnegative(),
  /** State of the market generator after the stored days. */
  state: z.object({
    slow: z.number(),
    fast: z.number(),
    logPrices: z.record(z.string(), z.number()),
    premiums: z.array(z.number()),
  }) satisfies z.ZodType<MarketState>,
})

/** The days of generated history and the progress so far, from which a later start continues. */
export type HistoryPlan = z.output<typeof Plan>

/** Returns the plan of an earlier start, if there is one. */
export function readPlan(file: string): HistoryPlan | undefined {
  if (!existsSync(file)) return undefined
  try {
    return Plan.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const remedy = 'Delete it and the folder bars beside it to generate the history again'
    throw new Error(`${file} is damaged. ${remedy}.`, { cause })
  }
}

export function writePlan(file: string, plan: HistoryPlan): void {
  replaceFile(file, JSON.stringify(plan))
}
