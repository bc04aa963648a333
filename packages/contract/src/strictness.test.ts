import { expect, test } from 'vitest'
import type * as z from 'zod'
import { allCalls } from './apis.ts'
import { componentSchemas, schemaOf } from './json-schema.ts'

const requests = allCalls().flatMap(({ id, endpoint }) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    return schema ? [{ name: `${id} ${part}`, schema }] : []
  }),
)

test.each(requests)('[CALL-4] $name refuses an unknown field, at every depth', ({ schema }) => {
  const objects = objectsIn(schema)
  expect(objects.length).toBeGreaterThan(0)
  expect(objects.filter((object) => object.additionalProperties !== false)).toEqual([])
})

test.each(allCalls())(
  '[CLIENT-5] the reply of $id ignores unknown fields, at every depth',
  ({ endpoint }) => {
    expect(objectsIn(endpoint.reply).filter((object) => object.additionalProperties === false)).toEqual([])
  },
)

test('[CLIENT-5] unknown fields of a reply do not reach the screen', () => {
  const engine = allCalls().find(({ id }) => id === 'engine.info')?.endpoint
  const sent = { trader_id: 'T', engine_type: 'x', status: 's', is_running: true, strategies_count: 0 }
  expect(engine?.reply.parse({ ...sent, extra: 1 })).toEqual(sent)
})

type Printed = object & { additionalProperties?: unknown }

/** Every object with named fields that a schema prints; free-form configurations have none. */
function objectsIn(schema: z.ZodType): Printed[] {
  return collect([schemaOf(schema).schema, componentSchemas([schema])])
}

function collect(node: unknown): Printed[] {
  if (Array.isArray(node)) return node.flatMap(collect)
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(collect)
  return 'properties' in node && 'type' in node && node.type === 'object' ? [node, ...inside] : inside
}
