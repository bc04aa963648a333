import { type NewBacktest, type NewSweep, SWEEP_SETS_MAX, type SweepSegment } from '@binnacle/contract'
import { createRandom } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** The sets of a sweep: names of the parameters, and a value for each in every set. */
export interface ParameterSets {
  names: string[]
  sets: number[][]
}

const MAX_VALUES = 200

/** BT-37 */
export function setsOf(
  { parameters, random_sets: count, base }: NewSweep,
  /** Of a parameter, as the screen shows it. */
  labelOf: (name: string) => string,
): ParameterSets | Refused {
  const names = Object.keys(parameters)
  const values: number[][] = []
  for (const name of names) {
    const found = valuesOf(parameters[name] ?? { values: [] })
    if (found.length === 0)
      return wrongRange(
        name,
        `The values of ${labelOf(name)} end before they begin. Type the lower value first, such as 20..80 by 5.`,
      )
    if (found.length > MAX_VALUES)
      return wrongRange(name, `${labelOf(name)} has more than ${MAX_VALUES} values. Make its step larger.`)
    values.push(found)
  }
  const product = values.reduce((size, each) => size * each.length, 1)
  if (count !== undefined && count < product)
    return { names, sets: drawIndexes(product, count, base.seed).map((index) => setAt(values, index)) }
  if (product > SWEEP_SETS_MAX) {
    const sentence = `The grid has ${product} sets; at most ${SWEEP_SETS_MAX} can be run. Make steps larger, or draw sets at random.`
    return new Refused('request.invalid', sentence, [{ field: 'body.parameters', message: sentence }])
  }
  return { names, sets: Array.from({ length: product }, (_, index) => setAt(values, index)) }
}

function wrongRange(name: string, message: string): Refused {
  return new Refused('request.invalid', message, [{ field: `body.parameters.${name}`, message }])
}

type Range = NewSweep['parameters'][string]

/** Sums of steps are rounded to what a person would have written. */
function valuesOf(range: Range): number[] {
  if ('values' in range) return [...new Set(range.values)]
  const { from, to, step } = range
  // 0.1 three times is a little more than 0.3.
  const count = Math.floor((to - from) / step + 1e-9) + 1
  return Array.from({ length: Math.max(0, Math.min(count, MAX_VALUES + 1)) }, (_, nth) =>
    Number((from + nth * step).toPrecision(12)),
  )
}

/** The last parameter changes fastest. */
function setAt(values: readonly number[][], index: number): number[] {
  const set: number[] = []
  let rest = index
  for (const each of values.toReversed()) {
    set.unshift(each[rest % each.length] ?? 0)
    rest = Math.floor(rest / each.length)
  }
  return set
}

/** Different ones, in the order in which they are drawn. */
function drawIndexes(size: number, count: number, seed: number): number[] {
  const random = createRandom(seed)
  const drawn = new Set<number>()
  while (drawn.size < count) drawn.add(Math.floor(random.uniform() * size))
  return [...drawn]
}

/** The run of a set: 'parameters.bars' is inside of the parameter `parameters`. */
export function requestOfSet(
  base: NewBacktest,
  names: readonly string[],
  set: readonly number[],
): NewBacktest {
  const config: Record<string, unknown> = { ...base.strategy.config }
  for (const [nth, name] of names.entries()) {
    const [outer = name, ...inner] = name.split('.')
    if (inner.length === 0) config[outer] = set[nth]
    else config[outer] = { ...asRecord(config[outer]), [inner.join('.')]: set[nth] }
  }
  return { ...base, strategy: { ...base.strategy, config } }
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/** In the sample for three parts, out of it for the one after them. */
const PARTS_IN_SAMPLE = 3
const MINUTE_MS = 60_000

/** BT-40: each window is one part later than the one before. Without windows, the whole period. */
export function segmentsOf({ base, windows }: NewSweep): SweepSegment[] {
  const [from, to] = [Date.parse(base.from), Date.parse(base.to)]
  if (windows === undefined) return [segment(0, 'whole', from, to)]
  const part = (to - from) / (windows + PARTS_IN_SAMPLE)
  const at = (parts: number) => Math.round((from + parts * part) / MINUTE_MS) * MINUTE_MS
  return Array.from({ length: windows }, (_, window) => [
    segment(window, 'in', at(window), at(window + PARTS_IN_SAMPLE)),
    segment(window, 'out', at(window + PARTS_IN_SAMPLE), at(window + PARTS_IN_SAMPLE + 1)),
  ]).flat()
}

function segment(window: number, part: string, from: number, to: number): SweepSegment {
  return { window, part, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
