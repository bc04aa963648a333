import { existsSync, readFileSync } from 'node:fs'
import type { MarketState } from '@binnacle/engine'
import * as z from 'zod'
import { replaceFile } from './replace-file.ts'

const Plan = z.object({
  version: z.literal(1),
  seed: z.int(),
  /** 00:00 UTC of the first day, in milliseconds. */
  from: z.int().nonnegative(),
  days: z.int().positive(),
  /** How many of the days are in the catalog. */
  stored: z.int().nonnegative(),
  /** The market at the end of the days stored. */
  state: z.object({
    slow: z.number(),
    fast: z.number(),
    logPrices: z.record(z.string(), z.number()),
    premiums: z.array(z.number()),
  }) satisfies z.ZodType<MarketState>,
})

/** Which days of history are to be there, and how far they are: what a later start goes on from. */
export type HistoryPlan = z.output<typeof Plan>

/** Returns the plan that a first start drew, if there was one. */
export function readPlan(file: string): HistoryPlan | undefined {
  if (!existsSync(file)) return undefined
  try {
    return Plan.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const remedy = 'Remove it together with the folder bars beside it to have history invented anew'
    throw new Error(`${file} is damaged. ${remedy}.`, { cause })
  }
}

export function writePlan(file: string, plan: HistoryPlan): void {
  replaceFile(file, JSON.stringify(plan))
}
