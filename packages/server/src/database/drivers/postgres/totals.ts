import type { ClientBase } from 'pg'
import type { BoundText } from './selection.ts'

export interface Total {
  rows: number
  isEstimate: boolean
}

/** Up to so many rows counting is cheap. */
const COUNTED_ROWS = 100_000

/** How many rows there are: counted where that is cheap, else as the planner estimates. */
export async function countRows(
  client: ClientBase,
  { from, where, isFiltered }: { from: string; where: BoundText; isFiltered: boolean },
): Promise<Total> {
  const estimate = await estimateRows(client, `SELECT FROM ${from}${where.text}`, where.values)
  if (estimate > COUNTED_ROWS && !isFiltered) return { rows: estimate, isEstimate: true }
  const { rows } = await client.query<{ total: string }>(
    `SELECT count(*) AS total FROM (SELECT FROM ${from}${where.text} LIMIT ${COUNTED_ROWS + 1}) AS counted`,
    where.values,
  )
  const counted = Number(rows[0]?.total)
  if (counted <= COUNTED_ROWS) return { rows: counted, isEstimate: false }
  return { rows: Math.max(estimate, counted), isEstimate: true }
}

async function estimateRows(client: ClientBase, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}
