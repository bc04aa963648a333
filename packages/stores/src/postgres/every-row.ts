import pg, { type ClientBase } from 'pg'
import type { Confirmation } from '#driver.ts'
import type { TableChange } from '#postgres/guard/destruction.ts'

/** Finds out whether a write has changed every row of a table, whatever its WHERE says. */
export interface EveryRowWatch {
  /** Called after the write and before its commit. */
  confirmationFor(rowsAffected: number): Promise<Confirmation | undefined>
}

/** Must be called before the write, in its transaction. */
export async function watchEveryRow(
  client: ClientBase,
  changes: readonly TableChange[],
): Promise<EveryRowWatch> {
  const filled: TableChange[] = []
  for (const change of changes) {
    if (await holds(client, `EXISTS (SELECT FROM ${change.from})`)) filled.push(change)
  }
  return {
    async confirmationFor(rowsAffected) {
      for (const change of filled) {
        const { table, verb } = change
        if (await holds(client, await conditionOf(client, change, rowsAffected)))
          return { table, sentence: `This ${verb} every row of ${table}.` }
      }
      return undefined
    },
  }
}

/** True after a write to every row. Stops reading at the first row that was left, or at the first beyond those changed. */
async function conditionOf(
  client: ClientBase,
  { verb, from, name }: TableChange,
  rowsAffected: number,
): Promise<string> {
  if (verb === 'deletes') return `NOT EXISTS (SELECT FROM ${from})`
  // A changed row carries the number of the transaction. Only tables have it.
  const isTable = `(SELECT relkind FROM pg_catalog.pg_class WHERE oid = to_regclass(${pg.escapeLiteral(name)})) IN ('r', 'p')`
  if (await holds(client, isTable)) {
    return `NOT EXISTS (SELECT FROM ${from} AS t WHERE t.xmin::text::bigint <> txid_current() % 4294967296)`
  }
  return `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${rowsAffected + 1}) AS t) <= ${rowsAffected}`
}

/** What the role may not look up counts as true, so that the question is asked. */
async function holds(client: ClientBase, condition: string): Promise<boolean> {
  await client.query('SAVEPOINT every_row')
  try {
    const { rows } = await client.query<{ holds: boolean }>(`SELECT ${condition} AS holds`)
    return rows[0]?.holds !== false
  } catch (failure) {
    if (!(failure instanceof pg.DatabaseError)) throw failure
    return true
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT every_row; RELEASE SAVEPOINT every_row')
  }
}
