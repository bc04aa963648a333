import { setImmediate } from 'node:timers/promises'
import {
  type BarColumns,
  createRandom,
  generateHistory,
  type HistoryDay,
  type Instant,
  type Instruments,
  instant,
  type MarketState,
  MS_PER_DAY,
} from '@binnacle/engine'
import { type HistoryPlan, readPlan, writePlan } from '#storage/history-plan.ts'
import type { Catalog } from './catalog.ts'
import { dailyOf, joined } from './columns.ts'
import { nextMonth } from './month.ts'

/** How far the invention of history is. */
export interface HistoryProgress {
  readonly done: boolean
  readonly days: number
  readonly of: number
}

export interface HistoryOptions {
  catalog: Catalog
  instruments: Instruments
  planFile: string
  seed: number
  /** How many days there are to be, when no plan says so yet; the last is the one before today. */
  days: number
  /** 00:00 UTC of the day that history must not reach into. */
  today: Instant
  /** Where prices stand now, which is where history has to end. */
  market: MarketState
  onProgress: (progress: HistoryProgress) => void
  isStopped: () => boolean
}

/** Fills the catalog with the days that are still missing; a stop leaves what is whole for the next time. */
export async function inventHistory(options: HistoryOptions): Promise<void> {
  let plan = readPlan(options.planFile) ?? (await drawPlan(options))
  while (plan !== undefined && plan.stored < plan.days) plan = await storeMonth(options, plan)
}

/** Runs the whole path once to learn how far it goes, and lets it begin that far from where it has to end. */
async function drawPlan(options: HistoryOptions): Promise<HistoryPlan | undefined> {
  const { market, today, days, seed } = options
  const from = today - days * MS_PER_DAY
  let state = market
  for (let day = 0; day < days; day++) {
    state = inventDay(options, { seed, from, state }, day).state
    await setImmediate()
    if (options.isStopped()) return undefined
  }
  const logPrices = Object.entries(market.logPrices).map(([base, end]) => {
    const moved = (state.logPrices[base] ?? end) - end
    return [base, end - moved] as const
  })
  const opening = { ...market, logPrices: Object.fromEntries(logPrices) }
  const plan: HistoryPlan = { version: 1, seed, from, days, stored: 0, state: opening }
  writePlan(options.planFile, plan)
  return plan
}

/** A sync costs more than a day does, so the days of a month are written together. */
async function storeMonth(options: HistoryOptions, plan: HistoryPlan): Promise<HistoryPlan | undefined> {
  const days = await inventMonth(options, plan)
  const state = days.at(-1)?.state
  if (days.length === 0 || state === undefined) return undefined
  for (const [index] of options.instruments.all.entries()) {
    const ofOne = days.flatMap(({ bars }) => bars[index] ?? [])
    await storeBars(options.catalog, ofOne)
    if (options.isStopped()) return undefined
  }
  const stored = plan.stored + days.length
  const next = { ...plan, stored, state }
  writePlan(options.planFile, next)
  options.onProgress({ done: stored === plan.days, days: stored, of: plan.days })
  return next
}

async function inventMonth(options: HistoryOptions, plan: HistoryPlan): Promise<HistoryDay[]> {
  const first = plan.from + plan.stored * MS_PER_DAY
  const count = Math.min(plan.days - plan.stored, (nextMonth(first) - first) / MS_PER_DAY)
  const days: HistoryDay[] = []
  let { state } = plan
  while (days.length < count) {
    const day = inventDay(options, { ...plan, state }, plan.stored + days.length)
    state = day.state
    days.push(day)
    await setImmediate()
    if (options.isStopped()) return []
    options.onProgress({ done: false, days: plan.stored + days.length, of: plan.days })
  }
  return days
}

/** The same seed and date give the same day, whenever it is drawn. */
function inventDay(
  { instruments }: HistoryOptions,
  { seed, from, state }: Pick<HistoryPlan, 'seed' | 'from' | 'state'>,
  number: number,
): HistoryDay {
  const day = instant(from + number * MS_PER_DAY)
  const random = createRandom(seed).fork(`day ${day}`)
  const [invented] = generateHistory({ instruments, random, from: day, days: 1, state })
  if (invented === undefined) throw new Error('a day of history was requested but not produced')
  return invented
}

async function storeBars(catalog: Catalog, days: readonly BarColumns[]): Promise<void> {
  await catalog.writeBars(joined(days))
  await catalog.writeBars(joined(days.map(dailyOf)))
}
