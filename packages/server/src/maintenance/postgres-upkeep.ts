import type { Client } from 'pg'
import { withClient } from '#backups/postgres/postgres-client.ts'
import type { JobControl } from '#jobs/job.ts'

export interface Optimised {
  tables: number
  bytesBefore: number
  bytesAfter: number
}

const TABLES = `
  SELECT format('%I.%I', schemaname, relname) AS name
  FROM pg_catalog.pg_stat_user_tables ORDER BY 1`

/** VACUUM and ANALYZE of every table, one by one, so that it can be stopped between two. */
export function optimisePostgres(url: string, { signal, progress, log }: JobControl): Promise<Optimised> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES)
    const bytesBefore = await sizeOf(client)
    for (const [index, { name }] of tables.entries()) {
      signal.throwIfAborted()
      progress(index / tables.length, `Table ${index + 1} of ${tables.length}: ${name}.`)
      await client.query(`VACUUM (ANALYZE) ${name}`)
      log(`${name} is vacuumed and analysed.`)
    }
    return { tables: tables.length, bytesBefore, bytesAfter: await sizeOf(client) }
  })
}

async function sizeOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS bytes',
  )
  return Number(rows[0]?.bytes)
}
