import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { allCalls } from './apis.ts'
import { exampleOf } from './example.ts'
import { NewOrder } from './trading/orders.ts'

const bodies = allCalls().flatMap(({ id, endpoint }) => (endpoint.body ? [[id, endpoint.body] as const] : []))
const replies = allCalls().map(({ id, endpoint }) => [id, endpoint.reply] as const)

describe('examples', () => {
  test.each(bodies)('[DOCS-13] the request body of %s is valid', (_, schema) => {
    expect(schema.safeParse(exampleOf(schema)).error).toBeUndefined()
  })

  test.each(replies)('[DOCS-13] the reply of %s is valid', (_, schema) => {
    expect(schema.safeParse(exampleOf(schema)).error).toBeUndefined()
  })

  test('[DOCS-13] every field of a new order is given', () => {
    expect(exampleOf(NewOrder)).toEqual({
      instrument: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: 0.001,
      price: 60_000,
      time_in_force: 'GTC',
      reduce_only: false,
    })
  })

  test('[DOCS-13] a schema that contains itself ends', () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree)
      },
    })
    expect(Tree.safeParse(exampleOf(Tree)).success).toBe(true)
  })
})
