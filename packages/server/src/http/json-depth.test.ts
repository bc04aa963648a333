import { expect, test } from 'vitest'
import { isNestedDeeper } from './json-depth.ts'

test.each([
  ['{"a":[{"b":1}]}', false],
  ['{"a":[{"b":[]}]}', true],
  ['[[[]],[[]],[[]]]', false],
  ['["[[[[[","\\"[[[[[","\\\\",[[]]]', false],
  ['["\\\\",[[[]]]]', true],
  ['1', false],
  ['"[[[[', false],
])('of at most three levels: %s', (json, isDeeper) => {
  expect(isNestedDeeper(json, 3)).toBe(isDeeper)
})
