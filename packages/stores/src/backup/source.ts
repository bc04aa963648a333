import { isDeepStrictEqual } from 'node:util'
import { JobFailure } from '#job-control.ts'

/** A store to back up. A URL may contain a password and is never logged. */
export type Source = SqliteSource | PostgresSource | RedisSource | ParquetSource

export interface SqliteSource {
  type: 'sqlite'
  file: string
  /** A folder that belongs to the database, such as the archive of the journal. */
  archiveFolder?: string
}

export interface PostgresSource {
  type: 'postgresql'
  url: string
}

export interface RedisSource {
  type: 'redis'
  url: string
}

export interface ParquetSource {
  type: 'parquet'
  /** A folder of files, or one file. */
  folder: string
}

/** Identifies the data; connections with different names may lead to the same data. */
export function locationOfSource(source: Source): string {
  if (source.type === 'sqlite') return source.file
  return source.type === 'parquet' ? source.folder : source.url
}

/** Contents of a backup: rows by table, keys by database, or rows by file. */
export type Counts = Record<string, number>

export function checkCounts(found: Counts, written: Counts): void {
  if (isDeepStrictEqual({ ...found }, { ...written })) return
  const names = [...new Set([...Object.keys(found), ...Object.keys(written)])]
  const name = names.find((one) => found[one] !== written[one])
  throw new JobFailure(
    `The contents differ from the backup: ${name} has ${found[name ?? ''] ?? 'no'} rows, not ${written[name ?? ''] ?? 'none'}.`,
  )
}
