import type { Client } from 'pg'
import type { JobControl } from '#job-control.ts'
import { withClient } from '#postgres/dump/client.ts'

export interface OptimiseResult {
  tables: number
  bytesBefore: number
  bytesAfter: number
}

const TABLES = `
  SELECT format('%I.%I', schemaname, relname) AS name
  FROM pg_catalog.pg_stat_user_tables ORDER BY 1`

/** Runs VACUUM (ANALYZE) table by table, so that it can be cancelled in between. */
export function optimisePostgres(
  url: string,
  { signal, progress, log }: JobControl,
): Promise<OptimiseResult> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES)
    const bytesBefore = await sizeOf(client)
    for (const [index, { name }] of tables.entries()) {
      signal.throwIfAborted()
      progress(index / tables.length, `Table ${index + 1} of ${tables.length}: ${name}.`)
      await client.query(`VACUUM (ANALYZE) ${name}`)
      log(`${name} vacuumed and analysed.`)
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
