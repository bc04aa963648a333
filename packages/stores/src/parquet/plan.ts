import type { PlanStep } from '@binnacle/contract'
import * as z from 'zod'
import { prepareRead } from './guard.ts'
import type { ParquetStore } from './store.ts'

interface DuckStep {
  name: string
  children: DuckStep[]
  extra_info?: Record<string, unknown> | undefined
}

const DuckStep: z.ZodType<DuckStep> = z.object({
  name: z.string(),
  get children() {
    return z.array(DuckStep)
  },
  extra_info: z.record(z.string(), z.unknown()).optional(),
})

export async function explainStatement(store: ParquetStore, sql: string): Promise<PlanStep> {
  const statement = await prepareRead(store, sql)
  statement.destroySync()
  const read = await store.duck.runAndReadAll(`EXPLAIN (FORMAT JSON) ${sql}`)
  const steps = z.array(DuckStep).parse(JSON.parse(String(read.getRows()[0]?.[1])))
  return { title: 'QUERY PLAN', children: steps.map(nodeOf) }
}

const CARDINALITY = 'Estimated Cardinality'

function nodeOf({ name, children, extra_info = {} }: DuckStep): PlanStep {
  const { [CARDINALITY]: rows, ...rest } = extra_info
  const detail = Object.entries(rest).map(([label, value]) => `${label}: ${[value].flat().join(', ')}`)
  return {
    title: name.trim(),
    ...(detail.length > 0 && { detail: detail.join('; ') }),
    ...(rows !== undefined && { rows: Number(rows) }),
    children: children.map(nodeOf),
  }
}
