import { expect, test } from 'vitest'
import * as z from 'zod'
import { JsonObjectText } from './json-object.ts'

const GOOD = ['{}', ' {\n}\t', '{"a":[1,-2.5e+3,true,null,{"b":"\\u00e9\\n\\""}],"c":{}}', '{"":[[],[0]]}']

test.each(GOOD)('%j is an object', (text) => {
  expect(JsonObjectText.parse(text)).toBe(text)
})

test.each([
  ['', 'is not JSON: it ends at line 1, column 1'],
  ['   ', 'is not JSON: it ends at line 1, column 4'],
  ['{', 'is not JSON: it ends at line 1, column 2'],
  ['{"a":1', 'is not JSON: it ends at line 1, column 7'],
  ['{"a" 1}', 'is not JSON: unexpected "1" at line 1, column 6'],
  ['{a:1}', 'is not JSON: unexpected "a" at line 1, column 2'],
  ["{'a':1}", 'is not JSON: unexpected "\'" at line 1, column 2'],
  ['{"a":1,}', 'is not JSON: unexpected "}" at line 1, column 8'],
  ['{"a":[1,]}', 'is not JSON: unexpected "]" at line 1, column 9'],
  ['{"a":01}', 'is not JSON: unexpected "1" at line 1, column 7'],
  ['{"a":"\\x"}', 'is not JSON: unexpected "\\\\" at line 1, column 7'],
  ['{"a":"b', 'is not JSON: it ends at line 1, column 8'],
  ['{"a":"b\nc"}', 'is not JSON: unexpected "\\n" at line 1, column 8'],
  ['{"a":1} x', 'is not JSON: unexpected "x" at line 1, column 9'],
  ['{"a":1}}', 'is not JSON: unexpected "}" at line 1, column 8'],
  ['{\n  "a": 1,\n  "b": nope\n}', 'is not JSON: unexpected "n" at line 3, column 8'],
  ['{"a":]', 'is not JSON: unexpected "]" at line 1, column 6'],
  ['\ufeff{}', 'is not JSON: unexpected "\ufeff" at line 1, column 1'],
  ['[]', 'must be a JSON object, but another value begins at line 1, column 1'],
  ['\n 7', 'must be a JSON object, but another value begins at line 2, column 2'],
  ['null', 'must be a JSON object, but another value begins at line 1, column 1'],
  ['"{}"', 'must be a JSON object, but another value begins at line 1, column 1'],
])('%j is refused: %s', (text, message) => {
  expect(JsonObjectText.safeParse(text).error?.issues[0]?.message).toBe(message)
})

test('nesting is bounded, and a hostile depth neither overflows nor passes', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  expect(JsonObjectText.safeParse(nested(64)).success).toBe(true)
  expect(JsonObjectText.safeParse(nested(65)).error?.issues[0]?.message).toMatch('more than 64 levels')
  expect(JsonObjectText.safeParse('['.repeat(20_000)).error?.issues[0]?.message).toMatch(
    'more than 64 levels',
  )
  expect(JsonObjectText.safeParse(`{"a":"${'x'.repeat(20_000)}"}`).success).toBe(false)
})

const CHARACTERS = ['', 'x', '"', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', '\\', ' ']

/** The text with one character changed, left out or doubled, in every way. */
function mutationsOf(text: string): string[] {
  return [...text].flatMap((character, at) =>
    [...CHARACTERS, character.repeat(2)].map((put) => text.slice(0, at) + put + text.slice(at + 1)),
  )
}

test('it agrees with JSON.parse on every text with one character changed, left out or doubled', () => {
  const mutations = GOOD.flatMap(mutationsOf)
  expect(mutations.length).toBeGreaterThan(1000)
  for (const changed of mutations) {
    const readObject = () => z.record(z.string(), z.unknown()).parse(JSON.parse(changed))
    if (JsonObjectText.safeParse(changed).success) expect(readObject, changed).not.toThrow()
    else expect(readObject, changed).toThrow()
  }
})
