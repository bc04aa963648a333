import { expect, test } from 'vitest'
import { parseArray } from './array-text.ts'

test.each([
  ['{}', []],
  ['{1,NULL,3}', ['1', null, '3']],
  [
    '{{1,2},{3,4}}',
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['[0:1]={a,b}', ['a', 'b']],
  ['{"a,b","say \\"hi\\"","back\\\\slash","NULL",""}', ['a,b', 'say "hi"', 'back\\slash', 'NULL', '']],
  ['{"{}"}', ['{}']],
])('%s', (text, items) => {
  expect(parseArray(text, (item) => item)).toEqual(items)
})

test.each(['{"a', '{"a}', '{1,2', '{{1}', '{', ''])('ends on the truncated text %j', (text) => {
  expect(Array.isArray(parseArray(text, (item) => item))).toBe(true)
})
