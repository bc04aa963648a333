import type { ClientBase } from 'pg'
import type { PlanNode } from '../driver.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { judgeStatement } from './guard/statement-guard.ts'
import { planTree } from './plan-tree.ts'
import { readBatches } from './row-cursor.ts'

/** How PostgreSQL would run a statement. Drawing up a plan changes nothing, so one that writes has a plan as well. */
export async function explainStatement(client: ClientBase, statement: string): Promise<PlanNode> {
  if (!(await judgeStatement(statement)).isExplainable) {
    const sentence = 'There is a plan only for SELECT, INSERT, UPDATE, DELETE and MERGE.'
    throw new StoreRefusal('store.refused', sentence)
  }
  for await (const { rows } of readBatches(client, {
    text: `EXPLAIN (FORMAT JSON) ${statement}`,
    values: [],
  })) {
    return planTree(JSON.parse(rows[0]?.[0] ?? '[{}]')[0].Plan)
  }
  throw new StoreRefusal('store.refused', 'PostgreSQL gave no plan.')
}
