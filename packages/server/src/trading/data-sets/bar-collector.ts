import type { BadRow, DataSetMapping } from '@binnacle/contract'
import { type Bar, INTERVAL_MS, type Instrument, instantFromMs } from '@binnacle/engine'
import type { BarPlan } from './bar-plan.ts'
import type { TextRow } from './row-reader.ts'
import { parseTime } from './time-text.ts'

type BarRow = Pick<Bar, 'start' | 'open' | 'high' | 'low' | 'close' | 'volume'>

interface OpenBar {
  open: number
  high: number
  low: number
  close: number
  volume: number
  firstAt: number
  lastAt: number
}

/** Bars that wait to be written; the latest one may still grow. */
const MAX_WAITING = 50_000
const MAX_VOLUME = 1e10

export interface CollectorOptions {
  mapping: DataSetMapping
  columns: readonly string[]
  instrument: Instrument
  plan: BarPlan
  /** How many bad rows are returned with their reasons. */
  maxBadRows: number
}

/** Turns rows into bars, checks each and counts what is wrong. Bounded: full buffers are to be written by the caller. */
export class BarCollector {
  readonly #options: CollectorOptions
  readonly #lengthMs: number
  readonly #places: Readonly<Record<string, number>>
  readonly #waiting = new Map<number, OpenBar>()
  #writtenUntil = -1
  rows = 0
  bars = 0
  badRows = 0
  duplicates = 0
  rounded = 0
  readonly bad: BadRow[] = []

  constructor(options: CollectorOptions) {
    this.#options = options
    this.#lengthMs = INTERVAL_MS[options.plan.interval]
    const { mapping, columns } = options
    const roles = mapping.kind === 'bars' ? BAR_ROLES : TICK_ROLES
    // The roles are fields of this kind of mapping; an absent one has no place.
    const named = mapping as unknown as Record<string, string | undefined>
    this.#places = Object.fromEntries(roles.map((role) => [role, columns.indexOf(named[role] ?? '\0')]))
  }

  get isFull(): boolean {
    return this.#waiting.size > MAX_WAITING
  }

  add(row: TextRow): void {
    this.rows += 1
    const fault = this.#take(row)
    if (fault === null) return
    this.badRows += 1
    if (this.bad.length < this.#options.maxBadRows) this.bad.push({ line: row.line, reason: fault })
  }

  /** Returns waiting bars, oldest first, and forgets them; the latest stays unless the file has ended. */
  take(hasEnded: boolean): BarRow[] {
    const starts = [...this.#waiting.keys()].sort((one, other) => one - other)
    if (!hasEnded) starts.pop()
    const taken = starts.flatMap((start) => {
      const bar = this.#waiting.get(start)
      this.#waiting.delete(start)
      return bar === undefined ? [] : [barRow(start, bar)]
    })
    this.#writtenUntil = Math.max(this.#writtenUntil, starts.at(-1) ?? -1)
    this.bars += taken.length
    return taken
  }

  #take(row: TextRow): string | null {
    const { mapping, plan } = this.#options
    const text = this.#text(row, 'time')
    const at = parseTime(text, mapping.time_unit)
    if (at === null) return `time '${cutText(text)}' is not a time`
    const start = at - (at % this.#lengthMs)
    if (plan.sourceMs !== null && at % plan.sourceMs !== 0)
      return `time ${cutText(text)} is not the start of a bar of ${plan.sourceMs / 1_000} s`
    // What was written cannot grow any more; a whole bar replaces it.
    const isWhole = plan.sourceMs === this.#lengthMs
    if (!isWhole && start <= this.#writtenUntil)
      return `time ${cutText(text)} is far before the rows above it; sort the file by time`
    const values = mapping.kind === 'bars' ? this.#bar(row) : this.#tick(row)
    if (typeof values === 'string') return values
    if (values.isRounded) this.rounded += 1
    this.#put(start, at, values, isWhole)
    return null
  }

  #put(start: number, at: number, values: Values, isWhole: boolean): void {
    const known = this.#waiting.get(start)
    if (known !== undefined && !isWhole) {
      grow(known, values, at)
      return
    }
    if (known !== undefined) this.duplicates += 1
    this.#waiting.set(start, growing(values, at))
  }

  #bar(row: TextRow): Values | string {
    const prices = ['open', 'high', 'low', 'close'].map((name) => this.#price(row, name))
    const fault = prices.find((price) => typeof price === 'string')
    if (typeof fault === 'string') return fault
    const [open = NONE, high = NONE, low = NONE, close = NONE] = prices.filter(
      (price) => typeof price !== 'string',
    )
    if (high.steps < Math.max(open.steps, close.steps, low.steps))
      return 'high is below another price of the bar'
    if (low.steps > Math.min(open.steps, close.steps)) return 'low is above another price of the bar'
    const volume = this.#volume(row, 'volume')
    if (typeof volume === 'string') return volume
    const isRounded = [open, high, low, close, volume].some((value) => value.isRounded)
    return {
      open: open.steps,
      high: high.steps,
      low: low.steps,
      close: close.steps,
      volume: volume.steps,
      isRounded,
    }
  }

  #tick(row: TextRow): Values | string {
    const price = this.#price(row, 'price')
    if (typeof price === 'string') return price
    const volume = this.#volume(row, 'quantity')
    if (typeof volume === 'string') return volume
    const { steps } = price
    return {
      open: steps,
      high: steps,
      low: steps,
      close: steps,
      volume: volume.steps,
      isRounded: price.isRounded || volume.isRounded,
    }
  }

  #price(row: TextRow, role: string): Steps | string {
    const { tick } = this.#options.instrument
    const text = this.#text(row, role)
    const steps = countSteps(text, tick.unitCount)
    if (steps === null) return `${role} '${cutText(text)}' is not a number`
    if (steps.steps < 1) return `${role} ${cutText(text)} is not above zero`
    return steps.steps > tick.maxCount ? `${role} ${cutText(text)} is too large` : steps
  }

  #volume(row: TextRow, role: string): Steps | string {
    if (this.#places[role] === -1) return NONE
    const text = this.#text(row, role)
    const steps = countSteps(text, this.#options.instrument.lot.unitCount)
    if (steps === null) return `${role} '${cutText(text)}' is not a number`
    if (steps.steps < 0) return `${role} ${cutText(text)} is negative`
    return Number(text) >= MAX_VOLUME ? `${role} ${cutText(text)} is too large` : steps
  }

  #text({ values }: TextRow, role: string): string {
    return (values[this.#places[role] ?? -1] ?? '').trim()
  }
}

const BAR_ROLES = ['time', 'open', 'high', 'low', 'close', 'volume']
const TICK_ROLES = ['time', 'price', 'quantity']

interface Steps {
  readonly steps: number
  readonly isRounded: boolean
}

interface Values {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly isRounded: boolean
}

const NONE: Steps = { steps: 0, isRounded: false }
const UNITS = 1e8
/** A double's own error is far below this; a digit beyond the tick is far above. */
const EXACT = 1e-4

/** `Number` also reads 0x10, 0b1 and 0o7. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function countSteps(text: string, unitCount: number): Steps | null {
  const value = Number(text)
  if (!DECIMAL.test(text) || !Number.isFinite(value)) return null
  const exact = (value * UNITS) / unitCount
  const steps = Math.round(exact)
  return { steps, isRounded: Math.abs(exact - steps) > EXACT }
}

function growing({ open, high, low, close, volume }: Values, at: number): OpenBar {
  return { open, high, low, close, volume, firstAt: at, lastAt: at }
}

function grow(bar: OpenBar, values: Values, at: number): void {
  bar.high = Math.max(bar.high, values.high)
  bar.low = Math.min(bar.low, values.low)
  bar.volume += values.volume
  if (at < bar.firstAt) {
    bar.firstAt = at
    bar.open = values.open
  }
  if (at < bar.lastAt) return
  bar.lastAt = at
  bar.close = values.close
}

function barRow(start: number, { open, high, low, close, volume }: OpenBar): BarRow {
  return { start: instantFromMs(start), open, high, low, close, volume }
}

function cutText(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
