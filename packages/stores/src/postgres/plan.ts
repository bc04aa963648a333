import type { PlanStep } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import { findUnsafe } from '#postgres/guard/functions.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { classifyStatement, notCallable } from './guard.ts'
import { cutCellOf } from './message-limiter.ts'
import { readBatches } from './row-cursor.ts'

/** Explains a statement without running it, so writes have a plan too. */
export async function explainStatement(client: ClientBase, statement: string): Promise<PlanStep> {
  const { isExplainable, functions } = await classifyStatement(statement)
  if (!isExplainable) {
    const sentence = 'Only SELECT, INSERT, UPDATE, DELETE and MERGE have a plan.'
    throw new StoreRefusal('store.refused', sentence)
  }
  const unsafe = await findUnsafe(client, functions)
  if (unsafe?.verdict === 'forbidden') throw notCallable(unsafe)
  for await (const { rows } of readBatches(client, {
    text: `EXPLAIN (FORMAT JSON) ${statement}`,
    values: [],
  })) {
    const plan = rows[0]?.[0] ?? '[{}]'
    if (cutCellOf(plan) !== undefined)
      throw new StoreRefusal('store.refused', 'The plan is too large to show.')
    return planTree(JSON.parse(plan)[0].Plan)
  }
  throw new StoreRefusal('store.refused', 'PostgreSQL returned no plan.')
}

/** Converts a plan of EXPLAIN (FORMAT JSON). */
function planTree(plan: unknown): PlanStep {
  const step: Record<string, unknown> = Object(plan)
  const children: unknown = step.Plans
  return {
    title: titleOf(step),
    detail: detailOf(step),
    rows: numberIn(step['Plan Rows']),
    cost: numberIn(step['Total Cost']),
    children: Array.isArray(children) ? children.map(planTree) : [],
  }
}

function titleOf(step: Record<string, unknown>): string {
  const kind = [step.Operation, step['Join Type'], step['Node Type']]
    .filter((word) => word !== undefined)
    .join(' ')
  const table = step['Relation Name'] ?? step['CTE Name'] ?? step['Function Name']
  const index = step['Index Name'] === undefined ? '' : ` using ${String(step['Index Name'])}`
  return table === undefined ? `${kind}${index}` : `${kind} on ${String(table)}${index}`
}

const DETAILS = [
  'Index Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Recheck Cond',
  'Sort Key',
  'Group Key',
]

function detailOf(step: Record<string, unknown>): string | undefined {
  const details = DETAILS.flatMap((name) => {
    const value = step[name]
    return value === undefined ? [] : [`${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`]
  })
  return details.length === 0 ? undefined : details.join('; ')
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
