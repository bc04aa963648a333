import type { PlanStep } from '@binnacle/contract'
import { prepareOne } from './statement.ts'
import type { SqliteStore } from './store.ts'

/** Builds the tree from SQLite's list of steps, each with the id of its parent. */
export function explainStatement(store: SqliteStore, sql: string): PlanStep {
  prepareOne(store, sql)
  const { statement } = prepareOne(store, `EXPLAIN QUERY PLAN ${sql}`)
  const root: PlanStep = { title: 'QUERY PLAN', children: [] }
  const nodes = new Map<number, PlanStep>([[0, root]])
  for (const row of store.guard.watch(() => statement.all()).value) {
    const [id, parent, , detail] = Object.values(row)
    const node: PlanStep = { title: String(detail), children: [] }
    nodes.set(Number(id), node)
    nodes.get(Number(parent))?.children.push(node)
  }
  return root
}
