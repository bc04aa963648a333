import type { PlanNode } from '../driver.ts'

/** PostgreSQL's plan, as EXPLAIN (FORMAT JSON) tells it, as a tree of ours. */
export function planTree(plan: unknown): PlanNode {
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
  const told = DETAILS.flatMap((name) => {
    const value = step[name]
    return value === undefined ? [] : [`${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`]
  })
  return told.length === 0 ? undefined : told.join('; ')
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
