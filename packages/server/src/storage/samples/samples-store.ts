import { DatabaseSync } from 'node:sqlite'
import { StartRefusal } from '#config/start-refusal.ts'
import { CORRUPT, isDamaged, moveAside } from '#storage/damaged-file.ts'
import { BUSY_TIMEOUT_MS, CHECKPOINT_PAGES } from '#storage/sqlite-limits.ts'
import { prepareTransaction } from '#storage/transaction.ts'
import { migrateSamples } from './samples-schema.ts'

/** An event that time charts mark: a halt, changed limits, a restart. */
export interface SampleMark {
  readonly atMs: number
  readonly kind: string
  readonly text: string
}

/** What one second adds. */
export interface SampleBatch {
  /** In seconds since 1970. */
  readonly at: number
  readonly values: ReadonlyMap<string, number>
  readonly marks?: readonly SampleMark[]
  /** Notes of the sources, to recognise after a restart what changed meanwhile. */
  readonly notes?: ReadonlyMap<string, string>
}

/** The samples of one interval: the last value, the lowest and the highest. */
export interface SamplePoint {
  /** The start of the interval, in seconds. */
  readonly at: number
  readonly last: number
  readonly low: number
  readonly high: number
}

export interface SampleRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** The table to read. */
  readonly resolutionS: Resolution
  /** Points are merged to intervals of this length, a multiple of the resolution. */
  readonly stepS: number
}

export interface SampleCoverage {
  /** The first minute, in seconds. */
  readonly firstAt: number | undefined
  /** By the start of the day, in seconds. */
  readonly minutesOfDay: ReadonlyMap<number, number>
}

/** Time series in one file of bounded size. Written by one sampler, once a second. */
export interface SamplesStore {
  /** Adds a second in one transaction. A second that is there already gets the new values. */
  add(batch: SampleBatch): void
  /** The samples of each series, oldest first. Intervals without a sample are absent. */
  read(series: readonly string[], range: SampleRange): Map<string, SamplePoint[]>
  /** The last value of a series in the minutes before a time. */
  lastBefore(series: string, at: number): { at: number; value: number } | undefined
  /** The latest marks of a range, oldest first. */
  marks(from: number, to: number, limit: number): SampleMark[]
  /** The minutes of each day that have a sample of a series, from a time on. */
  coverage(series: string, from: number): SampleCoverage
  notes(): Map<string, string>
  /** The second of the newest sample. */
  lastAt(): number | undefined
  close(): void
}

/** The lengths of the stored intervals, in seconds. */
export const RESOLUTIONS_S = [1, 60, 3600] as const
export type Resolution = (typeof RESOLUTIONS_S)[number]

const DAY_S = 86_400
/** How long the samples of a resolution are stored, in seconds. */
export const RETENTION_S: Readonly<Record<Resolution, number>> = {
  1: DAY_S,
  60: 366 * DAY_S,
  3600: 10 * 366 * DAY_S,
}

/** A series takes up to 30 MB, so the file is bounded by 3 GB; ten series take 250 MB in the first year. */
export const MAX_SERIES = 100
const MAX_MARKS = 10_000

export interface SamplesStoreOptions {
  maxSeries?: number
  /** Called with a sentence when a damaged file was moved aside. */
  onDamage?: (message: string) => void
}

/**
 * Opens the samples. They are soft: commits are not synced, and a damaged file is moved aside, since trading does not
 * depend on it. A file of a newer version is refused.
 */
export function openSamplesStore(file: string, options: SamplesStoreOptions = {}): SamplesStore {
  return new SqliteSamples(openOrMoveAside(file, options.onDamage), options.maxSeries ?? MAX_SERIES)
}

function openOrMoveAside(file: string, onDamage?: (message: string) => void): DatabaseSync {
  try {
    return openChecked(file)
  } catch (fault) {
    if (fault instanceof StartRefusal || !isDamaged(fault)) throw fault
    const aside = moveAside(file)
    onDamage?.(
      `${file} was damaged. It was moved to ${aside}, and recording began again: charts are empty before now.`,
    )
    return openChecked(file)
  }
}

function openChecked(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    )
    const found = String(database.prepare('PRAGMA quick_check(1)').get()?.quick_check)
    if (found !== 'ok') throw Object.assign(new Error(found), { errcode: CORRUPT })
    migrateSamples(database, file)
    return database
  } catch (fault) {
    database.close()
    throw fault
  }
}

class SqliteSamples implements SamplesStore {
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #transaction: ReturnType<typeof prepareTransaction>
  readonly #maxSeries: number
  /** Series ids by name. */
  readonly #ids: Map<string, number>
  /** Per coarser resolution the time up to which it holds everything: intervals from here on are incomplete. */
  readonly #rolledUp: Map<number, number>
  #lastAt: number | undefined
  /** False after an add: the coarser tables lack its samples. */
  #isComplete = false

  constructor(database: DatabaseSync, maxSeries: number) {
    this.#database = database
    this.#statements = prepareStatements(database)
    this.#transaction = prepareTransaction(database)
    this.#maxSeries = maxSeries
    this.#ids = new Map(this.#statements.series.all().map(({ id, name }) => [String(name), Number(id)]))
    this.#rolledUp = new Map(
      this.#statements.rolledUp.all().map(({ resolution, until }) => [Number(resolution), Number(until)]),
    )
    const last = this.#statements.lastSecond.get()?.at
    this.#lastAt = last == null ? undefined : Number(last)
  }

  add({ at, values, marks = [], notes = new Map() }: SampleBatch): void {
    this.#inTransaction(() => {
      for (const [name, value] of values) {
        const id = Number.isFinite(value) ? this.#idOf(name, values) : undefined
        if (id !== undefined) this.#statements.insert.run(at, id, value)
      }
      for (const { atMs, kind, text } of marks) this.#statements.insertMark.run(atMs, kind, text)
      for (const [name, text] of notes) this.#statements.insertNote.run(name, text)
      for (const [finer, coarser] of ROLL_UPS) this.#rollUp(finer, coarser, at)
    })
    this.#lastAt = Math.max(at, this.#lastAt ?? at)
    this.#isComplete = false
  }

  read(series: readonly string[], { from, to, resolutionS, stepS }: SampleRange): Map<string, SamplePoint[]> {
    const found = new Map<string, SamplePoint[]>(series.map((name) => [name, []]))
    const pointsOf = new Map([...found].map(([name, points]) => [this.#ids.get(name), points]))
    const ids = JSON.stringify([...pointsOf.keys()].filter((id) => id !== undefined))
    if (resolutionS !== 1) this.#completeOpenIntervals()
    for (const row of this.#statements.read[resolutionS].all({ length: stepS, from, to, ids })) {
      const { at, last, low, high } = row
      pointsOf
        .get(Number(row.series))
        ?.push({ at: Number(at), last: Number(last), low: Number(low), high: Number(high) })
    }
    return found
  }

  lastBefore(series: string, at: number): { at: number; value: number } | undefined {
    const id = this.#ids.get(series)
    if (id === undefined) return undefined
    this.#completeOpenIntervals()
    const row = this.#statements.lastBefore.get(id, at - 60)
    return row && { at: Number(row.at), value: Number(row.last) }
  }

  coverage(series: string, from: number): SampleCoverage {
    const id = this.#ids.get(series)
    if (id === undefined) return { firstAt: undefined, minutesOfDay: new Map() }
    this.#completeOpenIntervals()
    const days = this.#statements.coverage.all(id, from)
    const [first] = days
    return {
      firstAt: first === undefined ? undefined : Number(first.first),
      minutesOfDay: new Map(days.map(({ day, minutes }) => [Number(day), Number(minutes)])),
    }
  }

  marks(from: number, to: number, limit: number): SampleMark[] {
    const rows = this.#statements.marks.all(from * 1000, to * 1000, limit)
    return rows
      .reverse()
      .map(({ at, kind, text }) => ({ atMs: Number(at), kind: String(kind), text: String(text) }))
  }

  notes(): Map<string, string> {
    return new Map(this.#statements.notes.all().map(({ name, text }) => [String(name), String(text)]))
  }

  lastAt(): number | undefined {
    return this.#lastAt
  }

  close(): void {
    this.#database.close()
  }

  /** Undefined when there are too many series and all of them are being written. */
  #idOf(name: string, current: ReadonlyMap<string, number>): number | undefined {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    if (this.#ids.size >= this.#maxSeries && !this.#dropOldest(current)) return undefined
    const id = Number(this.#statements.insertSeries.run(name).lastInsertRowid)
    this.#ids.set(name, id)
    return id
  }

  /** Deletes the series that has not been written for the longest time. */
  #dropOldest(current: ReadonlyMap<string, number>): boolean {
    const oldest = this.#statements.oldestSeries.all().find(({ name }) => !current.has(String(name)))
    if (oldest === undefined) return false
    for (const statement of this.#statements.deleteSeries) statement.run(Number(oldest.id))
    this.#ids.delete(String(oldest.name))
    return true
  }

  /** Writes the finished intervals of the coarser resolution, and deletes what is older than its retention. */
  #rollUp(finer: Resolution, coarser: Coarser, at: number): void {
    const open = startOf(at, coarser)
    const until = this.#rolledUp.get(coarser)
    if (until === open) return
    // A clock that stepped back: its intervals are written again.
    const from = until === undefined || until > open ? open : until
    this.#statements.rollUp[coarser].run({ length: coarser, from, to: open })
    this.#statements.moveRolledUp.run(coarser, open)
    this.#rolledUp.set(coarser, open)
    this.#prune(finer, at)
    if (coarser === 3600) this.#prune(coarser, at)
  }

  #prune(resolution: Resolution, now: number): void {
    const before = now - RETENTION_S[resolution]
    if (resolution === 1) this.#statements.pruneSeconds.run(before)
    else for (const id of this.#ids.values()) this.#statements.prune[resolution].run(id, before)
    if (resolution === 3600) this.#statements.pruneMarks.run(before * 1000, MAX_MARKS)
  }

  /** Writes the intervals that are not over yet, so that a read sees every sample. They are written again later. */
  #completeOpenIntervals(): void {
    if (this.#isComplete) return
    const end = (this.#lastAt ?? 0) + 1
    this.#inTransaction(() => {
      for (const [, coarser] of ROLL_UPS) {
        const from = this.#rolledUp.get(coarser)
        if (from !== undefined) this.#statements.rollUp[coarser].run({ length: coarser, from, to: end })
      }
    })
    this.#isComplete = true
  }

  #inTransaction(work: () => void): void {
    const ids = new Map(this.#ids)
    const rolledUp = new Map(this.#rolledUp)
    try {
      this.#transaction(work)
    } catch (fault) {
      replace(this.#ids, ids)
      replace(this.#rolledUp, rolledUp)
      throw fault
    }
  }
}

type Coarser = Exclude<Resolution, 1>

const ROLL_UPS = [
  [1, 60],
  [60, 3600],
] as const satisfies readonly (readonly [Resolution, Coarser])[]

function startOf(at: number, lengthS: number): number {
  return Math.floor(at / lengthS) * lengthS
}

function replace<Key, Value>(map: Map<Key, Value>, by: ReadonlyMap<Key, Value>): void {
  map.clear()
  for (const [key, value] of by) map.set(key, value)
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    series: prepare('SELECT id, name FROM series'),
    rolledUp: prepare('SELECT resolution, until FROM rolled_up'),
    lastSecond: prepare('SELECT max(at) AS at FROM samples_1s'),
    insert: prepare('INSERT OR REPLACE INTO samples_1s VALUES (?, ?, ?)'),
    insertMark: prepare('INSERT INTO marks (at, kind, text) VALUES (?, ?, ?)'),
    insertNote: prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)'),
    insertSeries: prepare('INSERT INTO series (name) VALUES (?)'),
    oldestSeries: prepare(
      'SELECT id, name FROM series ORDER BY (SELECT max(at) FROM samples_1m WHERE series = series.id) NULLS LAST, id',
    ),
    deleteSeries: [
      prepare('DELETE FROM samples_1s WHERE series = ?'),
      prepare('DELETE FROM samples_1m WHERE series = ?'),
      prepare('DELETE FROM samples_1h WHERE series = ?'),
      prepare('DELETE FROM series WHERE id = ?'),
    ],
    moveRolledUp: prepare('INSERT OR REPLACE INTO rolled_up VALUES (?, ?)'),
    rollUp: {
      60: prepare(rollUpSql('samples_1m', SECONDS)),
      3600: prepare(rollUpSql('samples_1h', MINUTES)),
    },
    pruneSeconds: prepare('DELETE FROM samples_1s WHERE at < ?'),
    prune: {
      60: prepare('DELETE FROM samples_1m WHERE series = ? AND at < ?'),
      3600: prepare('DELETE FROM samples_1h WHERE series = ? AND at < ?'),
    },
    pruneMarks: prepare('DELETE FROM marks WHERE at < ? OR id <= (SELECT max(id) FROM marks) - ?'),
    read: { 1: prepare(readSql(SECONDS)), 60: prepare(readSql(MINUTES)), 3600: prepare(readSql(HOURS)) },
    lastBefore: prepare(
      'SELECT at, last FROM samples_1m WHERE series = ? AND at <= ? ORDER BY at DESC LIMIT 1',
    ),
    coverage: prepare(
      'SELECT at - at % 86400 AS day, min(at) AS first, count(*) AS minutes FROM samples_1m WHERE series = ? AND at >= ? GROUP BY day ORDER BY day',
    ),
    marks: prepare(
      'SELECT at, kind, text FROM marks WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?',
    ),
    notes: prepare('SELECT name, text FROM notes'),
  }
}

interface SampleTable {
  name: string
  last: string
  low: string
  high: string
}

const SECONDS: SampleTable = { name: 'samples_1s', last: 'value', low: 'value', high: 'value' }
const MINUTES: SampleTable = { name: 'samples_1m', last: 'last', low: 'low', high: 'high' }
const HOURS: SampleTable = { ...MINUTES, name: 'samples_1h' }

/** Merges with an interval that is there: its seconds may be deleted already when a clock steps back. */
function rollUpSql(into: string, table: SampleTable): string {
  return `
    INSERT INTO ${into} (series, at, last, low, high) ${intervalsSql(table, '')}
    ON CONFLICT DO UPDATE SET last = excluded.last, low = min(low, excluded.low), high = max(high, excluded.high)`
}

function readSql(table: SampleTable): string {
  return `${intervalsSql(table, 'AND series IN (SELECT value FROM json_each(:ids))')} ORDER BY found.start`
}

/** Numbers are bound as floating point, so the length is cast. */
function intervalsSql({ name, last, low, high }: SampleTable, condition: string): string {
  return `
    SELECT found.series AS series, found.start AS at, newest.${last} AS last, found.low AS low, found.high AS high
    FROM (
      SELECT series, at - at % CAST(:length AS INTEGER) AS start, max(at) AS at, min(${low}) AS low, max(${high}) AS high
      FROM ${name} WHERE at >= :from AND at < :to ${condition} GROUP BY series, start
    ) AS found
    JOIN ${name} AS newest ON newest.at = found.at AND newest.series = found.series
    WHERE true`
}
