import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { type Bar, type BarColumns, type InstrumentId, idFrom } from '@binnacle/engine'
import { replaceFile } from '#storage/durable-files.ts'
import { COLUMNS, columnsOfBars } from './columns.ts'

/** A finished minute of the running market. */
export interface Minute extends Pick<Bar, (typeof COLUMNS)[number]> {
  readonly instrument: InstrumentId
}

/** The latest minutes, which no month's file holds yet: a file of lines, since those files are costly to add to. */
export interface MinuteTail {
  add(minutes: readonly Minute[]): void
  /** Returns what there is, one set of columns for each instrument, oldest bar first. */
  read(): Map<InstrumentId, BarColumns>
  /** Lets go of what was read, but for the latest of each instrument: its day is not over yet. */
  drop(read: ReadonlyMap<InstrumentId, BarColumns>): void
}

export function openMinuteTail(file: string): MinuteTail {
  const readText = () => readFileSync(file, { encoding: 'utf8', flag: 'a+' })
  let cached: { version: string; columns: Map<InstrumentId, BarColumns> } | undefined

  /** Another thread may write to the file, so that its size and time decide. */
  function read(): Map<InstrumentId, BarColumns> {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false })
    const version = `${status?.ino} ${status?.size} ${status?.mtimeNs}`
    if (cached?.version !== version)
      cached = { version, columns: columnsOf(readText().split('\n').flatMap(minuteOf)) }
    return cached.columns
  }

  return {
    // The line before may be torn: a crash ends a write anywhere.
    add: (minutes) => appendFileSync(file, `\n${minutes.map(lineOf).join('\n')}\n`),
    read,
    drop(read) {
      const isKept = ({ instrument, start }: Minute) => start >= (read.get(instrument)?.start.at(-1) ?? 0)
      const remaining = readText().split('\n').flatMap(minuteOf).filter(isKept)
      replaceFile(file, `${remaining.map(lineOf).join('\n')}\n`)
    },
  }
}

function lineOf(minute: Minute): string {
  return [minute.instrument, ...COLUMNS.map((name) => minute[name])].join()
}

/** A torn or damaged line is skipped; only its minute is lost. */
function minuteOf(line: string): Minute[] {
  const [instrument = '', ...texts] = line.split(',')
  const [start, open, high, low, close, volume] = texts.map(Number)
  const values = { start, open, high, low, close, volume }
  const isWhole = texts.length === COLUMNS.length && Object.values(values).every(Number.isSafeInteger)
  // Every column was just seen to be a number.
  return isWhole
    ? [{ instrument: idFrom<InstrumentId>(instrument), ...(values as Omit<Minute, 'instrument'>) }]
    : []
}

function columnsOf(minutes: readonly Minute[]): Map<InstrumentId, BarColumns> {
  const byInstrument = Map.groupBy(minutes, ({ instrument }) => instrument)
  return new Map([...byInstrument].map(([instrument, own]) => [instrument, columnsOfOne(instrument, own)]))
}

function columnsOfOne(instrument: InstrumentId, minutes: readonly Minute[]): BarColumns {
  const latest = new Map(minutes.map((minute) => [minute.start, minute]))
  const ordered = [...latest.values()].sort((one, other) => one.start - other.start)
  return columnsOfBars(instrument, '1m', ordered)
}
