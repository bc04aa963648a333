import { expect, test } from 'vitest'
import { parseReply } from './reply.ts'

test.each([
  ['"junk"', 'reply: Invalid input: expected object, received string'],
  ['{"number":1,', 'reply: Invalid input: expected object, received undefined'],
  [
    '{"__proto__":{"isOk":true},"number":1,"intents":[],"printed":[]}',
    'reply: Unrecognized key: "__proto__"',
  ],
])('[CUST-5] the line %s is no answer', (line, wrong) => {
  expect(parseReply(line)).toEqual({ wrong })
})
