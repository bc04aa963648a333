import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/** A DuckDB in memory that reaches into one folder, or one file, and nothing else. */
export interface Duck {
  readonly connection: DuckDBConnection
  close(): void
}

export interface Reach {
  folder?: string
  file?: string
}

/** Opens it locked: no other files, no extensions from outside, and no statement can change that. */
export async function openDuck({ folder, file }: Reach): Promise<Duck> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '512MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  // What does not fit into memory fails; there is no folder to spill into that is not somebody's.
  await connection.run(`SET temp_directory = ''`)
  if (folder !== undefined) await connection.run(`SET allowed_directories = [${quoteText(folder)}]`)
  if (file !== undefined) await connection.run(`SET allowed_paths = [${quoteText(file)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  return {
    connection,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A text as a literal of SQL, for where DuckDB takes no bound value. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
