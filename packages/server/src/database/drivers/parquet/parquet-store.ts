import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { quoteText } from '#catalog/duck.ts'
import { findTables, type ParquetTable } from './parquet-folder.ts'
import { quoteName } from './quote-name.ts'

/** The files of one moment, open for reading. */
export interface ParquetStore {
  duck: DuckDBConnection
  tables: readonly ParquetTable[]
}

/** Follows the folder: files that come and go are seen by the next call. */
export function openParquetStore(place: string): { current(): Promise<ParquetStore> } {
  let seen = ''
  let store: ParquetStore | undefined
  return {
    async current() {
      const tables = findTables(place)
      const now = JSON.stringify(tables)
      if (store !== undefined && now === seen) return store
      store?.duck.closeSync()
      store = { duck: await openLocked(tables), tables }
      seen = now
      return store
    },
  }
}

/** What one statement may take of the machine. What does not fit fails; there is nowhere to spill. */
const LIMITS = { threads: '1', memory_limit: '384MB' }

/**
 * These very files are allowed and no folder is: DuckDB judges a path by its letters, so a link in an allowed
 * folder would lead out of it. No statement can change a setting afterwards.
 */
async function openLocked(tables: readonly ParquetTable[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...LIMITS,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const duck = await instance.connect()
  const files = tables.flatMap((table) => table.files)
  await duck.run(`SET temp_directory = ''`)
  await duck.run(`SET allowed_paths = [${files.map(quoteText).join()}]`)
  await duck.run('SET enable_external_access = false')
  await duck.run('SET lock_configuration = true')
  for (const table of tables) await addView(duck, table)
  return duck
}

/** A file that cannot be read is told by whoever reads it, and must not hide the others. */
async function addView(duck: DuckDBConnection, { name, files }: ParquetTable): Promise<void> {
  const view = `CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${readParquet(files)}`
  await duck.run(view).catch(() => undefined)
}

/** The table function that reads these files; options are spelled as DuckDB does. */
export function readParquet(files: readonly string[], options = ''): string {
  return `read_parquet([${files.map(quoteText).join()}]${options})`
}
