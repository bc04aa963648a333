import { describe, expect, test } from 'vitest'
import { describeJsonError } from './json-error.ts'

describe('errors in JSON', () => {
  test.each(['{}', 'null', '[1, 2]', ' "text" ', '{"a": {"b": []}}'])('%s has none', (text) => {
    expect(describeJsonError(text)).toBeUndefined()
  })

  test.each([
    ['', 'Not valid JSON. Line 1, column 1: a value is missing.'],
    ['{"a":', 'Not valid JSON. Line 1, column 6: a value is missing.'],
    ['{\n  "a": 1,\n}', 'Not valid JSON. Line 3, column 1: a property name in double quotes is missing.'],
    ['{\n  "a" 1\n}', 'Not valid JSON. Line 2, column 7: a colon is missing.'],
    ['[1 2]', 'Not valid JSON. Line 1, column 4: a comma is missing.'],
    ['{"a": 1', 'Not valid JSON. Line 1, column 8: a closing brace is missing.'],
    ['{"a": 1 /* one */}', 'Not valid JSON. Line 1, column 9: comments are not allowed.'],
    ["{'a': 1}", 'Not valid JSON. Line 1, column 2: unexpected text.'],
    ['\ufeff{}', 'Not valid JSON. Line 1, column 1: unexpected text.'],
  ])('%j is located', (text, message) => {
    expect(describeJsonError(text)).toBe(message)
  })
})
