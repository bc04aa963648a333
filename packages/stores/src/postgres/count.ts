import type { ClientBase } from 'pg'
import type { BoundText } from './filter.ts'

export interface Total {
  rows: number
  isEstimate: boolean
}

/** Counting is cheap up to this many rows. */
const MAX_COUNTED_ROWS = 100_000

/** Counts the rows where that is cheap, else uses the planner's estimate. */
export async function countRows(
  client: ClientBase,
  { from, where, isFiltered }: { from: string; where: BoundText; isFiltered: boolean },
): Promise<Total> {
  const estimate = await estimateRows(client, `SELECT FROM ${from}${where.text}`, where.values)
  if (estimate > MAX_COUNTED_ROWS && !isFiltered) return { rows: estimate, isEstimate: true }
  const { rows } = await client.query<{ total: string }>(
    `SELECT count(*) AS total FROM (SELECT FROM ${from}${where.text} LIMIT ${MAX_COUNTED_ROWS + 1}) AS counted`,
    where.values,
  )
  const counted = Number(rows[0]?.total)
  if (counted <= MAX_COUNTED_ROWS) return { rows: counted, isEstimate: false }
  return { rows: Math.max(estimate, counted), isEstimate: true }
}

async function estimateRows(client: ClientBase, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}
