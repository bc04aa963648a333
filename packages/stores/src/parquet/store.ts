import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { quoteName, quoteText } from './duck.ts'
import { findTables, type ParquetTable } from './folder.ts'

/** An open DuckDB with the files found at one time. */
export interface ParquetStore {
  duck: DuckDBConnection
  tables: readonly ParquetTable[]
}

/** Reopens when files were added or removed, so the next call sees them. */
export function openParquetStore(path: string): { current(): Promise<ParquetStore> } {
  let seen = ''
  let store: ParquetStore | undefined
  return {
    async current() {
      const tables = findTables(path)
      const now = JSON.stringify(tables)
      if (store !== undefined && now === seen) return store
      store?.duck.closeSync()
      store = { duck: await openLocked(tables), tables }
      seen = now
      return store
    },
  }
}

/** Limits of one statement. Exceeding the memory fails; nothing is spilled. */
const RESOURCE_LIMITS = { threads: '1', memory_limit: '384MB' }

/**
 * Allows the files and no folder: DuckDB compares paths as text, so a link in an allowed folder would lead outside. The
 * configuration is locked afterwards.
 */
async function openLocked(tables: readonly ParquetTable[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...RESOURCE_LIMITS,
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

/** An unreadable file fails when it is queried and must not hide the others. */
async function addView(duck: DuckDBConnection, { name, files }: ParquetTable): Promise<void> {
  const view = `CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${readParquet(files)}`
  await duck.run(view).catch(() => undefined)
}

/** The read_parquet call for these files. */
export function readParquet(files: readonly string[], options = ''): string {
  return `read_parquet([${files.map(quoteText).join()}]${options})`
}
