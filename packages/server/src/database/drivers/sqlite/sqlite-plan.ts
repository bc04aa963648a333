import type { PlanNode } from '#database/drivers/driver.ts'
import { prepareOne } from './sqlite-statement.ts'
import type { SqliteStore } from './sqlite-store.ts'

/** SQLite's plan is a list of steps that name their parents. */
export function explainStatement(store: SqliteStore, sql: string): PlanNode {
  prepareOne(store, sql)
  const { statement } = prepareOne(store, `EXPLAIN QUERY PLAN ${sql}`)
  const root: PlanNode = { title: 'QUERY PLAN', children: [] }
  const nodes = new Map<number, PlanNode>([[0, root]])
  for (const row of store.guard.watch(() => statement.all()).value) {
    const [id, parent, , detail] = Object.values(row)
    const node: PlanNode = { title: String(detail), children: [] }
    nodes.set(Number(id), node)
    nodes.get(Number(parent))?.children.push(node)
  }
  return root
}
