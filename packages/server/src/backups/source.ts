/** What can be backed up, with all that is needed to reach it. An address may hold a password and is never logged. */
export type Source = SqliteSource | PostgresSource | RedisSource | ParquetSource

export interface SqliteSource {
  type: 'sqlite'
  file: string
  /** A folder whose files belong to the database, as the archive does to the journal. */
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

/** What tells two sources apart: connections with different names may lead to the same data. */
export function placeOfSource(source: Source): string {
  if (source.type === 'sqlite') return source.file
  return source.type === 'parquet' ? source.folder : source.url
}

/** Rows by table, keys by database, or rows by file: what a backup holds, counted. */
export type Counts = Record<string, number>
