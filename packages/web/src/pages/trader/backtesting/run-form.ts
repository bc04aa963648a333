import {
  BAR_INTERVALS,
  type Backtest,
  type DataSet,
  type RecordedPeriod,
  type RiskLimits,
  STRATEGY_TYPES,
  type StrategyParameter,
  type StrategyType,
} from '@binnacle/contract'
import type { BacktestRequest } from '#data/backtests.ts'
import { configOf, type ParameterTexts, textsOf } from '#data/parameter-texts.ts'
import { MS_PER_DAY } from '#format/duration.ts'
import { copy } from './copy.ts'
import { INTERVAL_MS } from './trade-window.ts'

/** The form as typed. */
export interface RunTexts {
  type: string
  /** By parameter name; what is traded in which bars has fields of its own. */
  settings: ParameterTexts
  /** One, or several with commas between them. */
  traded: string
  interval: string
  /** The name of a data set; empty for the bars of the market. */
  dataSet: string
  /** In UTC, such as 2026-01-31 14:00. */
  from: string
  to: string
  capital: string
  hasOwnFees: boolean
  makerBps: string
  takerBps: string
  slippageBps: string
  latencyMs: string
  hasOwnLimits: boolean
  limits: Readonly<Record<keyof RiskLimits, string>>
  seed: string
}

export const LIMIT_FIELDS = [
  'max_order_size',
  'max_position_size',
  'max_daily_loss',
  'max_positions',
] as const satisfies readonly (keyof RiskLimits)[]

/** Messages by the names of the fields in the request. */
export type FieldErrors = Readonly<Record<string, string>>

/** Of a new form. */
const DEFAULT_DAYS = 30

export function blankTexts(type: StrategyType, recorded: readonly RecordedPeriod[]): RunTexts {
  const settings = textsOf(type)
  const traded = settings[tradedParameter(type)?.name ?? ''] ?? ''
  return {
    type: type.type,
    settings,
    traded,
    interval: intervalOf(settings[intervalParameter(type)?.name ?? '']),
    dataSet: '',
    ...lastDays(commonPeriod(namesIn(traded), recorded), DEFAULT_DAYS),
    capital: '10000',
    hasOwnFees: false,
    makerBps: '',
    takerBps: '',
    slippageBps: '0',
    latencyMs: '0',
    hasOwnLimits: false,
    limits: { max_order_size: '', max_position_size: '', max_daily_loss: '', max_positions: '' },
    seed: '1',
  }
}

/** BT-25: the request of a run, to be changed. */
export function textsOfRun({ request }: Pick<Backtest, 'request'>, type: StrategyType): RunTexts {
  const settings = textsOf(type, request.strategy.config)
  const { fees, limits } = request
  return {
    type: type.type,
    settings,
    traded: settings[tradedParameter(type)?.name ?? ''] ?? '',
    interval: intervalOf(request.interval),
    dataSet: request.data_set ?? '',
    from: timeText(request.from),
    to: timeText(request.to),
    capital: String(request.initial_cash),
    hasOwnFees: fees !== undefined,
    makerBps: textOf(fees?.maker_bps),
    takerBps: textOf(fees?.taker_bps),
    slippageBps: String(request.slippage_bps),
    latencyMs: String(request.latency_ms),
    hasOwnLimits: limits !== undefined,
    limits: {
      max_order_size: textOf(limits?.max_order_size),
      max_position_size: textOf(limits?.max_position_size),
      max_daily_loss: textOf(limits?.max_daily_loss),
      max_positions: textOf(limits?.max_positions),
    },
    seed: String(request.seed),
  }
}

/** The request, or what is missing at which field; the rest is for the server to check. */
export function requestOf(
  texts: RunTexts,
  type: StrategyType,
): { request: BacktestRequest } | { errors: FieldErrors } {
  const errors: Record<string, string> = {}
  const number = (field: string, text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(value)) errors[field] = copy.form.notNumber
    return value
  }
  const time = (field: string, text: string): string => {
    const at = parseTime(text)
    if (at === undefined) errors[field] = copy.form.noTime
    return at ?? ''
  }
  const known = STRATEGY_TYPES.find((candidate) => candidate === type.type)
  if (known === undefined) return { errors: { 'strategy.type': copy.form.unknownType(type.type) } }
  const own = { ...type, parameters: ownParameters(type) }
  const request: BacktestRequest = {
    strategy: { type: known, config: configOf(own, texts.settings) },
    ...tradedIn(texts, type),
    // The select offers these alone.
    interval: intervalOf(texts.interval),
    ...(texts.dataSet !== '' && { data_set: texts.dataSet }),
    from: time('from', texts.from),
    to: time('to', texts.to),
    initial_cash: number('initial_cash', texts.capital),
    ...(texts.hasOwnFees && {
      fees: {
        maker_bps: number('fees.maker_bps', texts.makerBps),
        taker_bps: number('fees.taker_bps', texts.takerBps),
      },
    }),
    slippage_bps: number('slippage_bps', texts.slippageBps),
    latency_ms: number('latency_ms', texts.latencyMs),
    ...(texts.hasOwnLimits && {
      limits: {
        max_order_size: number('limits.max_order_size', texts.limits.max_order_size),
        max_position_size: number('limits.max_position_size', texts.limits.max_position_size),
        max_daily_loss: number('limits.max_daily_loss', texts.limits.max_daily_loss),
        max_positions: number('limits.max_positions', texts.limits.max_positions),
      },
    }),
    seed: number('seed', texts.seed),
  }
  return Object.keys(errors).length > 0 ? { errors } : { request }
}

/** The label of every field of the form, by its name in the request. */
export function labelsOf(type: StrategyType): Readonly<Record<string, string>> {
  const { form } = copy
  const traded = tradedParameter(type)?.label ?? ''
  const limits = LIMIT_FIELDS.map((name) => [`limits.${name}`, form.limitNames[name]])
  const own = type.parameters.map(({ name, label = name }) => [`strategy.config.${name}`, label])
  return {
    instrument: traded,
    instruments: traded,
    interval: form.interval,
    data_set: form.source,
    from: form.from,
    to: form.to,
    initial_cash: form.capital,
    'fees.maker_bps': form.maker,
    'fees.taker_bps': form.taker,
    slippage_bps: form.slippage,
    latency_ms: form.latency,
    ...Object.fromEntries(limits),
    seed: form.seed,
    ...Object.fromEntries(own),
  }
}

export function tradedParameter({ parameters }: StrategyType): StrategyParameter | undefined {
  return parameters.find(({ kind }) => kind === 'instrument' || kind === 'instruments')
}

function intervalParameter({ parameters }: StrategyType): StrategyParameter | undefined {
  return parameters.find(({ kind }) => kind === 'interval')
}

/** The parameters without those that are fields of the request. */
export function ownParameters(type: StrategyType): StrategyParameter[] {
  const others = [tradedParameter(type), intervalParameter(type)]
  return type.parameters.filter((parameter) => !others.includes(parameter))
}

export function namesIn(traded: string): string[] {
  return traded
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

export interface Period {
  from: number
  to: number
  /** Time without bars of the instrument that lacks the most. */
  missingMs: number
}

/** BT-17: where all of the instruments have bars. */
export function commonPeriod(
  names: readonly string[],
  recorded: readonly RecordedPeriod[],
): Period | undefined {
  const periods = names.map((name) => recorded.find(({ instrument }) => instrument === name))
  if (periods.length === 0 || periods.includes(undefined)) return undefined
  const from = Math.max(...periods.map((period) => Date.parse(period?.from ?? '')))
  const to = Math.min(...periods.map((period) => Date.parse(period?.to ?? '')))
  const missingMs = Math.max(...periods.map((period) => (period?.missing_s ?? 0) * 1000))
  return from < to ? { from, to, missingMs } : undefined
}

/** BT-29: what a data set has of each instrument, the last bar included. */
export function periodsOf({ instruments, interval }: DataSet): RecordedPeriod[] {
  const length = INTERVAL_MS[interval] ?? 0
  return instruments.map(({ instrument, from, to, bars }) => {
    const end = Date.parse(to) + length
    return {
      instrument,
      from,
      to: new Date(end).toISOString(),
      missing_s: Math.max(0, end - Date.parse(from) - bars * length) / 1000,
    }
  })
}

/** The last days of a period, or all of it. */
export function lastDays(period: Period | undefined, days = Number.POSITIVE_INFINITY) {
  if (period === undefined) return { from: '', to: '' }
  const from = Math.max(period.from, period.to - days * MS_PER_DAY)
  return { from: timeText(new Date(from).toISOString()), to: timeText(new Date(period.to).toISOString()) }
}

function tradedIn({ traded }: RunTexts, type: StrategyType): Partial<BacktestRequest> {
  const kind = tradedParameter(type)?.kind
  if (kind === 'instrument') return { instrument: traded.trim() }
  return kind === 'instruments' ? { instruments: namesIn(traded) } : {}
}

type BarInterval = (typeof BAR_INTERVALS)[number]

function intervalOf(text: string | undefined): BarInterval {
  return BAR_INTERVALS.find((known) => known === text) ?? '1m'
}

/** In UTC, without what is zero below minutes. */
function timeText(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  return at
    .toISOString()
    .replace('T', ' ')
    .replace(/(:00)?(\.000)?Z$/, '')
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/

/** A date, with or without a time, in UTC; undefined for any other text and for a day that no month has. */
function parseTime(text: string): string | undefined {
  const [, day, time = '00:00'] = TIME.exec(text.trim()) ?? []
  const at = new Date(`${day}T${time}Z`)
  if (day === undefined || Number.isNaN(at.getTime())) return undefined
  const instant = at.toISOString()
  return instant.startsWith(day) ? instant : undefined
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}
