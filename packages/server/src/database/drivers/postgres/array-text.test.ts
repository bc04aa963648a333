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
