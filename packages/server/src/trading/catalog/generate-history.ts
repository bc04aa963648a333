import { setImmediate } from 'node:timers/promises'
import {
  type BarColumns,
  barStart,
  createRandom,
  generateHistory,
  type HistoryDay,
  INTERVAL_MS,
  type Instant,
  type Instruments,
  instantFromMs,
  type MarketState,
  MS_PER_DAY,
} from '@binnacle/engine'
import { type HistoryPlan, readPlan, writePlan } from '#storage/history-plan.ts'
import type { Catalog } from './catalog.ts'
import { dailyOf, joinColumns } from './columns.ts'
import { nextMonth } from './month.ts'

/** How far the generation of history is. */
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
  /** How many whole days there are to be before today, when no plan says so yet. */
  days: number
  /** When the running market began; history reaches up to its minute. */
  until: Instant
  /** Where prices stand now, which is where history has to end. */
  market: MarketState
  onProgress: (progress: HistoryProgress) => void
  isStopped: () => boolean
}

/** Fills the catalog with the days that are still missing; a stop leaves what is whole for the next time. */
export async function generateMissingDays(options: HistoryOptions): Promise<void> {
  let plan = readPlan(options.planFile) ?? (await drawPlan(options))
  while (plan !== undefined && plan.stored < plan.days) plan = await storeMonth(options, plan)
}

/** Runs the whole path once to learn how far it goes, and lets it begin that far from where it has to end. */
async function drawPlan(options: HistoryOptions): Promise<HistoryPlan | undefined> {
  const { market, days, seed } = options
  const until = await recordedFrom(options)
  const today = barStart(until, '1d')
  const from = today - days * MS_PER_DAY
  const lastMinutes = Math.floor((until - today) / INTERVAL_MS['1m'])
  let state = market
  for (let day = 0; day <= days; day++) {
    state = generateDay(options, { seed, from, days, lastMinutes, state }, day).state
    await setImmediate()
    if (options.isStopped()) return undefined
  }
  const logPrices = Object.entries(market.logPrices).map(([base, end]) => {
    const moved = (state.logPrices[base] ?? end) - end
    return [base, end - moved] as const
  })
  const opening = { ...market, logPrices: Object.fromEntries(logPrices) }
  const plan: HistoryPlan = { version: 1, seed, from, days, lastMinutes, stored: 0, state: opening }
  writePlan(options.planFile, plan)
  return plan
}

/** What an earlier start recorded of today is kept: history ends before it. */
async function recordedFrom({ catalog, instruments, until }: HistoryOptions): Promise<Instant> {
  const today = barStart(until, '1d')
  let first: number = until
  for (const { id } of instruments.all) first = Math.min(first, (await catalog.spanOf(id))?.from ?? first)
  return instantFromMs(Math.max(today, first))
}

/** A sync costs more than a day does, so the days of a month are written together. */
async function storeMonth(options: HistoryOptions, plan: HistoryPlan): Promise<HistoryPlan | undefined> {
  const days = await generateMonth(options, plan)
  const state = days.at(-1)?.state
  if (days.length === 0 || state === undefined) return undefined
  const stored = plan.stored + days.length
  const today = stored === plan.days ? generateDay(options, { ...plan, state }, stored) : undefined
  for (const [index] of options.instruments.all.entries()) {
    const ofOne = days.flatMap(({ bars }) => bars[index] ?? [])
    await storeBars(options.catalog, ofOne, today?.bars[index])
    if (options.isStopped()) return undefined
  }
  const next = { ...plan, stored, state }
  writePlan(options.planFile, next)
  options.onProgress({ done: stored === plan.days, days: stored, of: plan.days })
  return next
}

async function generateMonth(options: HistoryOptions, plan: HistoryPlan): Promise<HistoryDay[]> {
  const first = plan.from + plan.stored * MS_PER_DAY
  const count = Math.min(plan.days - plan.stored, (nextMonth(first) - first) / MS_PER_DAY)
  const days: HistoryDay[] = []
  let { state } = plan
  while (days.length < count) {
    const day = generateDay(options, { ...plan, state }, plan.stored + days.length)
    state = day.state
    days.push(day)
    await setImmediate()
    if (options.isStopped()) return []
    options.onProgress({ done: false, days: plan.stored + days.length, of: plan.days })
  }
  return days
}

/** The same seed and date give the same day, whenever it is drawn. */
function generateDay(
  { instruments }: HistoryOptions,
  { seed, from, days, lastMinutes, state }: Omit<HistoryPlan, 'version' | 'stored'>,
  number: number,
): HistoryDay {
  const day = instantFromMs(from + number * MS_PER_DAY)
  const random = createRandom(seed).fork(`day ${day}`)
  const whole = { instruments, random, from: day, days: 1, state }
  const [generated] = generateHistory(number < days ? whole : { ...whole, lastMinutes })
  if (generated === undefined) throw new Error('a day of history was requested but not produced')
  return generated
}

/** Today is not over: the running market completes it, and then it gets its bar of a day. */
async function storeBars(catalog: Catalog, days: readonly BarColumns[], today?: BarColumns): Promise<void> {
  await catalog.writeBars(joinColumns(today === undefined ? days : [...days, today]))
  await catalog.writeBars(joinColumns(days.map(dailyOf)))
}
