import type { DuckDBConnection } from '@duckdb/node-api'

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

/**
 * Opens it locked: no other files, no extensions, and no statement can change the settings. The library is loaded then,
 * since its 60 MB delay the start of a server that reads no Parquet file.
 */
export async function openDuck({ folder, file }: DuckAccess): Promise<Duck> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
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

/** A DuckDB that is opened at first use: a start does not wait for what it may not need. */
export interface LazyDuck {
  open(): Promise<Duck>
  close(): void
}

export function createLazyDuck(access: DuckAccess): LazyDuck {
  let opened: Promise<Duck> | undefined
  return {
    open() {
      opened ??= openDuck(access).catch((fault) => {
        opened = undefined
        throw fault
      })
      return opened
    },
    close() {
      void opened?.then(
        (duck) => duck.close(),
        () => {},
      )
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
