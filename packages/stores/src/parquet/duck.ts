import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/** An in-memory DuckDB that can access one folder or one file only. */
export interface Duck {
  readonly connection: DuckDBConnection
  /** Runs work that appends rows on a connection of its own: beside it, queries on the same one fail at random. */
  withWriter<Result>(work: (writer: DuckDBConnection) => Promise<Result>): Promise<Result>
  close(): void
}

export interface DuckAccess {
  folder?: string
  file?: string
}

/** Opens it locked: no other files, no extensions, and no statement can change the settings. */
export async function openDuck({ folder, file }: DuckAccess): Promise<Duck> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '512MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  // Queries that exceed the memory limit fail; nothing is spilled to disk.
  await connection.run(`SET temp_directory = ''`)
  if (folder !== undefined) await connection.run(`SET allowed_directories = [${quoteText(folder)}]`)
  if (file !== undefined) await connection.run(`SET allowed_paths = [${quoteText(file)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  return {
    connection,
    async withWriter(work) {
      const writer = await instance.connect()
      try {
        return await work(writer)
      } finally {
        writer.closeSync()
      }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** An SQL string literal, for places where DuckDB accepts no bound value. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A name as a quoted SQL identifier. The only place where a name enters SQL for DuckDB. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
