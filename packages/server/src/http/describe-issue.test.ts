import { expect, test } from 'vitest'
import * as z from 'zod'
import { describeIssue } from './describe-issue.ts'

const wordsFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => describeIssue(issue))

test.each<[z.ZodType, unknown, string]>([
  [z.object({ price: z.number() }), {}, 'is missing'],
  [z.number(), null, 'must be a number'],
  [z.number(), Number.NaN, 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.string(), 7, 'must be a text'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.number().min(0), -1, 'must be at least 0'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().max(10), 11, 'must be at most 10'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'ab', 'must have at least 3 characters'],
  [z.string().max(3), 'abcd', 'must have at most 3 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entries'],
  [z.enum(['BUY', 'SELL']), 'HOLD', 'must be one of BUY, SELL'],
  [z.literal('full'), 'half', 'must be full'],
  [z.iso.datetime(), 'noon', 'must be a time such as 2026-01-31T00:00:00Z'],
  [z.iso.date(), 'today', 'must be a date such as 2026-01-31'],
])('%# an issue is described: %s %j', (schema, value, words) => {
  expect(wordsFor(schema, value)).toEqual([words])
})

test('a message of the schema itself is used unchanged', () => {
  expect(wordsFor(z.string().regex(/^x/, 'must begin with x'), 'y')).toEqual(['must begin with x'])
})
