import type { Client } from 'pg'
import type { Counts } from '#backup/source.ts'

/** Tables whose rows a dump contains: ordinary tables and partitions, none of an extension. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence <> 't'
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_depend d
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1`

/** Rows by table, as this connection's transaction sees them. */
export async function countTables(client: Client): Promise<Counts> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const counts: Counts = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ONLY ${name}`)
    counts[name] = Number(rows[0]?.n)
  }
  return counts
}

export interface CopyCounter {
  take(line: string): void
  readonly counts: Counts
}

const NAME = '(?:"(?:[^"]|"")*"|[^".\\s]+)'
const COPY = new RegExp(`^COPY (${NAME}\\.${NAME}) .*FROM stdin;$`)

/** Counts the rows that a dump copies into each table. */
export function createCopyCounter(): CopyCounter {
  const counts: Counts = {}
  let table: string | undefined
  return {
    counts,
    take(line) {
      if (table !== undefined) {
        if (line === '\\.') table = undefined
        else counts[table] = (counts[table] ?? 0) + 1
        return
      }
      const [, name] = COPY.exec(line) ?? []
      if (name === undefined) return
      // Lines are latin1-decoded bytes; a name may be any UTF-8 text.
      table = Buffer.from(name, 'latin1').toString()
      counts[table] = 0
    },
  }
}
