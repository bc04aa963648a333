import { extname, resolve } from 'node:path'
import {
  type BarColumns,
  createColumns,
  createReplayFeed,
  type Feed,
  INTERVAL_MS,
  type Instrument,
  type Interval,
  instantFromMs,
  type MarketTick,
  parsePrice,
  parseQuantity,
  type Quantity,
  type QuoteTick,
  ticksOfBars,
} from '@binnacle/engine'
import { COLUMNS } from './columns.ts'
import { type RecordedRow, type Recording, ReplayRefusal, readRecording } from './recording.ts'

export interface ReplayOptions {
  /** A CSV file with a header, or a Parquet file. */
  file: string
  instrument: Instrument
  /** How long the bars of the file are; a file of ticks needs none. */
  interval?: Interval
  /** Bars say nothing of the spread: half of it, in ticks. */
  halfSpreadTicks?: number
}

/** Reads a recorded file of one instrument and plays it; a file with a bad row is refused before its first tick. */
export async function openReplay(options: ReplayOptions): Promise<Feed> {
  return createReplayFeed(await readTicks(options))
}

/** The ticks of a recorded file: quotes as they are, or the plausible path of its bars. */
async function readTicks(options: ReplayOptions): Promise<Iterable<MarketTick>> {
  const file = resolve(options.file)
  const isCsv = extname(file).toLowerCase() === '.csv'
  const recording = await readRecording(file, isCsv)
  const { columns } = recording
  const has = (names: readonly string[]) => names.every((name) => columns.includes(name))
  if (has(BAR_COLUMNS)) return barTicks(recording, options)
  if (has(TICK_COLUMNS)) return quotes(recording, options.instrument)
  const wanted = `${BAR_COLUMNS.join(', ')} for bars, or ${TICK_COLUMNS.join(', ')} for ticks`
  throw new ReplayRefusal(`${file} has the columns ${columns.join(', ')}; it needs ${wanted}.`)
}

const BAR_COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume']
const TICK_COLUMNS = ['time', 'bid', 'ask']

function barTicks(recording: Recording, options: ReplayOptions): Iterable<MarketTick> {
  const { instrument, interval = '1m', halfSpreadTicks = 1 } = options
  const bars = createColumns(instrument.id, interval, recording.rows.length)
  let before = -1
  for (const [index, row] of recording.rows.entries()) {
    before = timeOf(row, before)
    if (before % INTERVAL_MS[interval] !== 0)
      row.refuse(`time ${row.text('time')} is not the start of a ${interval} bar`)
    fillBar(bars, index, { row, instrument })
    bars.start[index] = before
  }
  return ticksOfBars([bars], { halfSpreadTicks })
}

function fillBar(bars: BarColumns, index: number, of: { row: RecordedRow; instrument: Instrument }): void {
  const { row, instrument } = of
  for (const name of COLUMNS) {
    if (name === 'start') continue
    bars[name][index] = name === 'volume' ? sizeIn(row, name, instrument) : priceIn(row, name, instrument)
  }
  const [open = 0, high = 0, low = 0, close = 0] = [bars.open, bars.high, bars.low, bars.close].map(
    (column) => column[index],
  )
  if (high < Math.max(open, close, low))
    row.refuse(`high ${row.text('high')} is below another price of the bar`)
  if (low > Math.min(open, close)) row.refuse(`low ${row.text('low')} is above another price of the bar`)
}

function quotes({ rows, columns }: Recording, instrument: Instrument): QuoteTick[] {
  let before = -1
  return rows.map((row) => {
    before = timeOf(row, before)
    const [bid, ask] = [priceIn(row, 'bid', instrument), priceIn(row, 'ask', instrument)]
    if (bid >= ask) row.refuse(`bid ${row.text('bid')} is not below ask ${row.text('ask')}`)
    const size = (name: string) =>
      columns.includes(name) ? sizeIn(row, name, instrument) : instrument.minQuantity
    const sizes = { bidSize: size('bid_size'), askSize: size('ask_size') }
    return {
      kind: 'tick',
      type: 'quote',
      at: instantFromMs(before),
      instrument: instrument.id,
      bid,
      ask,
      ...sizes,
    }
  })
}

/** Times never go back: a feed that did would move the engine's clock. */
function timeOf(row: RecordedRow, before: number): number {
  const text = row.text('time')
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(inUtc(text))
  if (!Number.isSafeInteger(ms) || ms < 0) {
    row.refuse(
      `time '${text}' is neither milliseconds since 1970 nor a date and time such as 2026-01-01T00:00:00Z`,
    )
  }
  if (ms < before) row.refuse(`time ${text} is before that of the row above it`)
  return ms
}

/** DuckDB prints the zone as +00; a time without one is taken as UTC. */
function inUtc(text: string): string {
  const zoned = text.replace(/(:\d\d(?:\.\d+)?)([+-]\d\d)$/, '$1$2:00')
  return /:\d\d(\.\d+)?$/.test(zoned) && !/[+-]\d\d:\d\d$/.test(zoned) ? `${zoned}Z` : zoned
}

function priceIn(row: RecordedRow, column: string, { tick }: Instrument) {
  const parsed = parsePrice(row.text(column), tick)
  if (parsed.ok) return parsed.value
  return row.refuse(`${column} ${whyNot(parsed.reason)}`)
}

function sizeIn(row: RecordedRow, column: string, { lot }: Instrument): Quantity {
  const text = row.text(column)
  const parsed = parseQuantity(text, lot)
  if (parsed.ok) return parsed.value
  // A minute without a trade is a bar all the same; zero is a quantity that an order cannot have.
  if (parsed.reason.fault === 'zero') return 0 as Quantity
  return row.refuse(`${column} ${whyNot(parsed.reason)}`)
}

function whyNot({ fault, given }: { fault: string; given: string }): string {
  return `'${given}' ${WHY[fault] ?? fault}`
}

const WHY: Record<string, string> = {
  'not-a-number': 'is not a number',
  infinite: 'is not finite',
  zero: 'is zero',
  negative: 'is negative',
  'too-large': 'is larger than the instrument allows',
  'off-step': 'is not a whole number of ticks or lots',
}
