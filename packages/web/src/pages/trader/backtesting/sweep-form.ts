import {
  type Backtest,
  type StrategyParameter,
  type StrategyType,
  SWEEP_MEASURES,
  type Sweep,
  type SweepMeasure,
} from '@binnacle/contract'
import type { BacktestRequest } from '#data/backtests.ts'
import { readJson } from '#data/read-json.ts'
import type { SweepRequest } from '#data/sweeps.ts'
import { copy } from './copy.ts'
import { type FieldErrors, ownParameters, type RunTexts } from './run-form.ts'

/** The part of the form that makes a sweep of a run. */
export interface SweepTexts {
  /** By the name of the parameter; empty for one that stays as it is. */
  ranges: Readonly<Record<string, string>>
  measure: SweepMeasure
  /** Empty for every set of the grid. */
  randomSets: string
  /** Empty for none. */
  patience: string
  windows: string
}

export const BLANK_SWEEP: SweepTexts = {
  ranges: {},
  measure: 'sharpe',
  randomSets: '',
  patience: '',
  windows: '',
}

export interface SweptParameter {
  name: string
  label: string
}

/** Numbers of the strategy, and those in the JSON of a custom module. */
export function sweptParameters(type: StrategyType, { settings }: RunTexts): SweptParameter[] {
  return ownParameters(type).flatMap((parameter) => {
    const { name, kind, label = name } = parameter
    if (kind === 'number' || kind === 'integer') return [{ name, label }]
    return kind === 'json' ? membersOf(parameter, settings[name] ?? '') : []
  })
}

function membersOf({ name }: StrategyParameter, text: string): SweptParameter[] {
  const value = readJson(text)
  if (typeof value !== 'object' || value === null) return []
  const numbers = Object.entries(value).filter(([, member]) => typeof member === 'number')
  return numbers.map(([member]) => ({ name: `${name}.${member}`, label: member }))
}

type Range = SweepRequest['parameters'][string]

const FROM_TO = /^(\S+?)\s*(?:\.\.|…|to)\s*(\S+?)\s+by\s+(\S+)$/

/** '20..80 by 5' or '20, 40, 80'; undefined for any other text. */
export function parseRange(text: string): Range | undefined {
  const [, from, to, step] = FROM_TO.exec(text.trim()) ?? []
  if (from !== undefined) {
    const range = { from: Number(from), to: Number(to), step: Number(step) }
    return Object.values(range).every(Number.isFinite) && range.step > 0 ? range : undefined
  }
  const parts = text.split(',').map((part) => part.trim())
  const values = parts.map(Number)
  return parts.includes('') || !values.every(Number.isFinite) ? undefined : { values }
}

/** How many runs the form would start; undefined while it has none or a range does not parse. */
export function countRuns({ ranges, randomSets, windows }: SweepTexts): number | undefined {
  const given = Object.values(ranges).filter((text) => text.trim() !== '')
  const sizes = given.map((text) => sizeOf(parseRange(text)))
  if (sizes.length === 0 || sizes.some((size) => size === 0)) return undefined
  const grid = sizes.reduce((product, size) => product * size, 1)
  const drawn = Number(randomSets)
  const sets = randomSets.trim() !== '' && drawn > 0 ? Math.min(grid, drawn) : grid
  return sets * (windows.trim() === '' ? 1 : 2 * Number(windows))
}

function sizeOf(range: Range | undefined): number {
  if (range === undefined) return 0
  if ('values' in range) return new Set(range.values).size
  return Math.max(0, Math.floor((range.to - range.from) / range.step + 1e-9) + 1)
}

/** BT-37: the request, or what is missing at which field. */
export function sweepRequestOf(
  base: BacktestRequest,
  texts: SweepTexts,
): { request: SweepRequest } | { errors: FieldErrors } {
  const errors: Record<string, string> = {}
  const parameters: Record<string, Range> = {}
  for (const [name, text] of Object.entries(texts.ranges)) {
    if (text.trim() === '') continue
    const range = parseRange(text)
    if (range === undefined) errors[`parameters.${name}`] = copy.sweepForm.noRange
    else parameters[name] = range
  }
  if (Object.keys(parameters).length === 0 && Object.keys(errors).length === 0)
    errors.parameters = copy.sweepForm.noParameter
  const whole = (field: string, text: string): number | undefined => {
    if (text.trim() === '') return undefined
    const value = Number(text)
    if (!Number.isInteger(value) || value < 1) errors[field] = copy.sweepForm.notWhole
    return value
  }
  const random = whole('random_sets', texts.randomSets)
  const patience = whole('patience', texts.patience)
  const windows = whole('windows', texts.windows)
  if (Object.keys(errors).length > 0) return { errors }
  return {
    request: {
      base: withoutSwept(base, Object.keys(parameters)),
      parameters,
      measure: texts.measure,
      ...(random !== undefined && { random_sets: random }),
      ...(patience !== undefined && { patience }),
      ...(windows !== undefined && { windows }),
    },
  }
}

/** Each set names them. */
function withoutSwept(base: BacktestRequest, names: readonly string[]): BacktestRequest {
  const config = Object.entries(base.strategy.config).filter(([name]) => !names.includes(name))
  return { ...base, strategy: { ...base.strategy, config: Object.fromEntries(config) } }
}

/** The run of a set, to be changed or run alone. */
export function requestOfSet({ request, names, sets }: Sweep, set: number): Backtest['request'] {
  const { base } = request
  const config: Record<string, unknown> = { ...base.strategy.config }
  for (const [nth, name] of names.entries()) {
    const [outer = name, ...inner] = name.split('.')
    const value = sets[set]?.[nth]
    const known = config[outer]
    if (inner.length === 0) config[outer] = value
    else config[outer] = { ...(typeof known === 'object' ? known : {}), [inner.join('.')]: value }
  }
  return { ...base, strategy: { ...base.strategy, config } }
}

/** The labels of the form's fields, by their names in the request. */
export function sweepLabels(type: StrategyType, texts: RunTexts): Readonly<Record<string, string>> {
  const { sweepForm: words } = copy
  const swept = sweptParameters(type, texts).map(({ name, label }) => [
    `parameters.${name}`,
    words.values(label),
  ])
  return {
    ...Object.fromEntries(swept),
    parameters: words.title,
    random_sets: words.randomSets,
    patience: words.patience,
    windows: words.windows,
  }
}

export function isMeasure(text: string): text is SweepMeasure {
  return SWEEP_MEASURES.some((known) => known === text)
}
