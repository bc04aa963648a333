import type { ClientBase } from 'pg'
import { type CalledFunction, HARMLESS_VOLATILE } from './functions.ts'

/** The first of these functions that, by the server's own catalogue, may change something. */
export async function findVolatile(
  client: ClientBase,
  functions: readonly CalledFunction[],
): Promise<CalledFunction | undefined> {
  if (functions.length === 0) return undefined
  const names = functions.map(({ name }) => name)
  const { rows } = await client.query<{ schema: string; name: string }>(VOLATILE, [names, HARMLESS_VOLATILE])
  return functions.find(({ schema, name }) =>
    rows.some((row) => row.name === name && (schema === undefined || schema === row.schema)),
  )
}

const VOLATILE = `
  SELECT n.nspname AS schema, p.proname AS name
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE p.proname = ANY($1) AND p.provolatile = 'v'
    AND NOT (n.nspname = 'pg_catalog' AND p.proname = ANY($2))`
