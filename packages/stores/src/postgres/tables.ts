import type { Column } from '@binnacle/contract'
import pg, { type ClientBase } from 'pg'
import type { TableEntry } from '#driver.ts'
import { unknownTable } from '#store-refusal.ts'

/** A table as the catalogue describes it. */
export interface PostgresTable {
  oid: number
  /** Quoted table name with the alias t. */
  from: string
  columns: PostgresColumn[]
  /** The columns that order the rows: the primary key, else a unique index without nulls. */
  key: PostgresColumn[]
}

export interface PostgresColumn {
  name: string
  /** Quoted, as a column of t. */
  quoted: string
  type: string
  /** The type without its length, because a cast would truncate to it. */
  castType: string
  isNotNull: boolean
  /** Position in the primary key, from 1; 0 if not part of it. */
  pk: number
}

export async function listTables(client: ClientBase): Promise<TableEntry[]> {
  const { rows } = await client.query<{ name: string; isView: boolean }>(
    `SELECT ${SHOWN_NAME} AS name, c.relkind IN ('v', 'm') AS "isView" ${TABLES} ORDER BY 1`,
  )
  return rows.map(({ name, isView }) => ({ name, kind: isView ? 'view' : 'table' }))
}

/** Finds a table by its listed name. The name is only compared, never put into SQL. */
export async function findTable(client: ClientBase, name: string): Promise<PostgresTable> {
  // PostgreSQL text cannot contain NUL.
  if (name.includes('\0')) throw unknownTable(name)
  const { rows } = await client.query<{ oid: number; schema: string; table: string }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS table ${TABLES} AND ${SHOWN_NAME} = $1 ORDER BY c.oid LIMIT 1`,
    [name],
  )
  const [found] = rows
  if (found === undefined) throw unknownTable(name)
  const columns = await columnsOf(client, found.oid)
  return {
    oid: found.oid,
    from: `${pg.escapeIdentifier(found.schema)}.${pg.escapeIdentifier(found.table)} AS t`,
    columns,
    key: await keyOf(client, found.oid, columns),
  }
}

export function schemaColumns({ columns }: PostgresTable): Column[] {
  return columns.map(({ name, type, isNotNull, pk }, cid) => ({
    cid,
    name,
    type,
    notnull: isNotNull ? 1 : 0,
    pk,
  }))
}

async function columnsOf(client: ClientBase, oid: number): Promise<PostgresColumn[]> {
  const { rows } = await client.query<Omit<PostgresColumn, 'quoted'>>(COLUMNS, [oid])
  return rows.map((row) => ({ ...row, quoted: `t.${pg.escapeIdentifier(row.name)}` }))
}

async function keyOf(
  client: ClientBase,
  oid: number,
  columns: readonly PostgresColumn[],
): Promise<PostgresColumn[]> {
  const { rows } = await client.query<{ name: string }>(KEY, [oid])
  return rows.flatMap(({ name }) => columns.filter((column) => column.name === name))
}

// A part that contains a dot is quoted, so names are unique.
const quoteIfNeeded = (part: string) =>
  `CASE WHEN ${part} LIKE '%.%' THEN '"' || replace(${part}, '"', '""') || '"' ELSE ${part} END`
const SHOWN_NAME = `(${quoteIfNeeded('n.nspname::text')} || '.' || ${quoteIfNeeded('c.relname::text')})`

const TABLES = `
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    AND has_schema_privilege(n.oid, 'USAGE')`

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, format_type(a.atttypid, -1) AS "castType",
    a.attnotnull AS "isNotNull", coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS pk
  FROM pg_catalog.pg_attribute a
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
  WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

const KEY = `
  SELECT a.attname AS name
  FROM (
    SELECT indrelid, indkey, indnkeyatts FROM pg_catalog.pg_index i
    WHERE indrelid = $1 AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
      AND NOT EXISTS (
        SELECT FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE k.place <= i.indnkeyatts AND NOT a.attnotnull)
    ORDER BY indisprimary DESC, indnkeyatts, indexrelid LIMIT 1
  ) i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
  JOIN pg_catalog.pg_attribute a ON a.attrelid = $1 AND a.attnum = k.attnum
  WHERE k.place <= i.indnkeyatts ORDER BY k.place`
