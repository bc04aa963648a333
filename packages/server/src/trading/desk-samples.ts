import {
  type Desk,
  MANUAL,
  type PositionView,
  type RemovedStrategyView,
  type RiskView,
  type StrategyResultView,
  type StrategyView,
} from '@binnacle/engine'
import * as z from 'zod'
import type { SampleSource, SourceReading } from '#services/samples/sampler.ts'
import type { Samples, SamplesAtStart } from '#storage/samples/samples.ts'
import type { SampleMark } from '#storage/samples/samples-store.ts'
import { isServiceRunning } from './feature-state.ts'
import { tradingStateToWire } from './risk.wire.ts'

/** The state and limits as of the last mark, stored so that a change during a stop is marked too. */
const Known = z.object({
  state: z.string(),
  since: z.string().nullable(),
  limits: z.record(z.string(), z.number()),
  /** Absent in notes of older versions. */
  analytics: z.boolean().optional(),
  account: z.string().optional(),
})
type Known = z.output<typeof Known>

const NOTE = 'desk'
/** The series of the paper account, beside those of the same name. */
const PAPER_SERIES = 'paper.'

/** Account, risk and strategy figures of the desk, and marks of its state and limits. */
export function createDeskSamples(desk: Desk, { notes }: SamplesAtStart, now = Date.now): SampleSource {
  let known = parseKnown(notes.get(NOTE))
  let marks: SampleMark[] = []
  let mayHaveChanged = true
  let isNoteDue = false
  const resultsOf = createStrategyResults()

  function compare(): void {
    const current = knownOf(desk)
    if (JSON.stringify(known) !== JSON.stringify(current)) isNoteDue = true
    if (known !== undefined) marks.push(...marksBetween(known, current, desk, now()))
    known = current
    mayHaveChanged = false
  }

  const stopFollowing = desk.onChange((change) => {
    if (change.kind === 'marks') return
    // A state is marked at once: a halt and its end may fall into one second.
    if (change.kind === 'views' && change.views.has('trading-state')) compare()
    else if (change.kind === 'reset' || change.views.has('risk') || change.views.has('engine'))
      mayHaveChanged = true
  })

  return {
    read(): SourceReading {
      if (mayHaveChanged) compare()
      const reading = {
        values: valuesOf(desk, resultsOf),
        marks,
        notes: new Map(isNoteDue ? [[NOTE, JSON.stringify(known)]] : []),
      }
      marks = []
      isNoteDue = false
      return reading
    },
    close: stopFollowing,
  }
}

/**
 * None while the figures are frozen: a figure that is not computed is not recorded. Analytics Service records the account
 * and the strategies, Risk Service the value at risk and the use of limits; what is of the paper account is named so.
 */
function valuesOf(desk: Desk, resultsOf: StrategyResults): Map<string, number> {
  const { views } = desk
  if (views.risk().isStale || views.haltReason !== null) return new Map()
  const values = [
    ...(isServiceRunning(desk, 'analytics') ? accountValues(views, resultsOf) : []),
    ...(isServiceRunning(desk, 'risk') ? riskValues(views) : []),
  ]
  const prefix = views.engine().account === 'paper' ? PAPER_SERIES : ''
  return new Map(values.flatMap(([name, value]) => (value === null ? [] : [[`${prefix}${name}`, value]])))
}

function accountValues(views: Desk['views'], resultsOf: StrategyResults): [string, number | null][] {
  const risk = views.risk()
  const { equity, realised, unrealised, fees, strategies } = views.account()
  const values: [string, number | null][] = [
    ['equity', equity],
    ['pnl.today', risk.dayResult],
    ['pnl.realized', realised],
    ['pnl.unrealized', unrealised],
    ['fees', fees],
    ['exposure', risk.totalExposure],
    ['margin.used', risk.marginUsed],
    ['margin.available', risk.marginAvailable],
    ['drawdown', risk.drawdown],
    ['drawdown.max', risk.maxDrawdown],
  ]
  values.push([`strategy.${MANUAL}.pnl`, manualResult(strategies, views.positions())])
  const account = views.engine().account ?? ''
  return [...values, ...resultsOf(account, views.strategies(), views.removedStrategies())]
}

type StrategyResults = ReturnType<typeof createStrategyResults>
type SampledStrategy = Pick<StrategyView, 'id' | 'status' | 'pnl' | 'openPositions' | 'workingOrders'>

/**
 * The result of each strategy while it runs or holds something, and once more when it changed after that: its last
 * position may be closed when it is stopped already, or just before it is deleted.
 */
export function createStrategyResults() {
  const sampled = new Map<string, number>()
  return (
    account: string,
    strategies: readonly SampledStrategy[],
    removed: readonly Pick<RemovedStrategyView, 'id' | 'pnl'>[],
  ): [string, number][] => {
    const current = strategies.map(({ id, pnl, status, openPositions, workingOrders }) => {
      const isIdle = status === 'stopped' && openPositions + workingOrders === 0
      return { id, pnl, isDue: !isIdle || pnl !== (sampled.get(`${account} ${id}`) ?? 0) }
    })
    const ended = removed.map(({ id, pnl }) => {
      const last = sampled.get(`${account} ${id}`)
      return { id, pnl, isDue: last !== undefined && last !== pnl }
    })
    return [...current, ...ended].flatMap(({ id, pnl, isDue }) => {
      if (!isDue) return []
      sampled.set(`${account} ${id}`, pnl)
      return [[`strategy.${id}.pnl`, pnl]]
    })
  }
}

function riskValues(views: Desk['views']): [string, number | null][] {
  const risk = views.risk()
  return [
    ['var.1d', risk.valueAtRisk],
    ['limit.exposure', shareOf(risk.totalExposure, risk.limits.maxPositionSize)],
    ['limit.daily-loss', shareOf(Math.max(0, -risk.dayResult), risk.limits.maxDailyLoss)],
    ['limit.positions', shareOf(risk.positionCount, risk.limits.maxPositions)],
  ]
}

/** Always sampled: manual orders are never stopped. */
function manualResult(strategies: readonly StrategyResultView[], positions: readonly PositionView[]): number {
  const result = strategies.find(({ strategy }) => strategy === MANUAL)
  const net = result === undefined ? 0 : result.realised - result.fees + result.funding
  return positions
    .filter(({ strategy }) => strategy === MANUAL)
    .reduce((sum, { unrealised }) => sum + unrealised, net)
}

/** In percent. */
function shareOf(value: number, limit: number): number | null {
  return limit === 0 ? null : (value / limit) * 100
}

function parseKnown(text: string | undefined): Known | undefined {
  return text === undefined ? undefined : Known.safeParse(JSON.parse(text)).data
}

function knownOf(desk: Desk): Known {
  const { views } = desk
  const risk = views.risk()
  const { state, since } = tradingStateToWire(risk, views.haltReason)
  return {
    state,
    since,
    limits: { ...risk.limits },
    analytics: isServiceRunning(desk, 'analytics'),
    account: views.engine().account,
  }
}

function marksBetween(before: Known, after: Known, { views }: Desk, nowMs: number): SampleMark[] {
  return [
    ...(before.state === after.state && before.since === after.since ? [] : [stateMark(views, nowMs)]),
    ...limitMarks(before, after, nowMs),
    ...serviceMarks(before, after, nowMs),
    ...accountMarks(before, after, nowMs),
  ]
}

function stateMark(views: Desk['views'], nowMs: number): SampleMark {
  const { state, reason, since } = tradingStateToWire(views.risk(), views.haltReason)
  return {
    atMs: since === null ? nowMs : Date.parse(since),
    kind: state.toLowerCase(),
    text: [`Trading is ${state}.`, reason].filter((part) => part !== null).join(' '),
  }
}

const LIMIT_NAMES: Readonly<Record<keyof RiskView['limits'], string>> = {
  maxOrderSize: 'Max Order Size',
  maxPositionSize: 'Max Position Size',
  maxDailyLoss: 'Max Daily Loss',
  maxPositions: 'Max Positions',
}

function limitMarks(before: Known, after: Known, atMs: number): SampleMark[] {
  const changed = Object.entries(LIMIT_NAMES).filter(([key]) => before.limits[key] !== after.limits[key])
  if (changed.length === 0) return []
  const parts = changed.map(
    ([key, name]) => `${name} ${numberText(before.limits[key])} → ${numberText(after.limits[key])}`,
  )
  return [{ atMs, kind: 'limits', text: `${parts.join(', ')}.` }]
}

/** The gap of a stopped service is marked at both ends. */
function serviceMarks(before: Known, after: Known, atMs: number): SampleMark[] {
  if ((before.analytics ?? true) === after.analytics) return []
  const text = after.analytics
    ? 'Analytics Service was started.'
    : 'Analytics Service was stopped. Nothing is recorded until it is started.'
  return [{ atMs, kind: 'analytics', text }]
}

function accountMarks(before: Known, after: Known, atMs: number): SampleMark[] {
  if ((before.account ?? 'live') === after.account) return []
  return [{ atMs, kind: 'account', text: `Orders trade for the ${after.account} account.` }]
}

function numberText(value: number | undefined): string {
  return value?.toLocaleString('en-US') ?? 'unknown'
}

/** Reads the series of the paper account under the names of the account's own. */
export function readPaperAccount(samples: Samples): Samples {
  return {
    atStart: samples.atStart,
    add: (batch) => samples.add(batch),
    async query({ series, ...rest }) {
      const named = series.map((name) => `${PAPER_SERIES}${name}`)
      const { points, before, marks } = await samples.query({ ...rest, series: named })
      return { points: withoutPrefix(points), before: withoutPrefix(before), marks }
    },
    coverage: (series, from) => samples.coverage(`${PAPER_SERIES}${series}`, from),
    close: () => samples.close(),
  }
}

function withoutPrefix<Value>(named: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...named].map(([name, value]) => [name.slice(PAPER_SERIES.length), value]))
}
