import { expect, test } from 'vitest'
import { checkIdioms } from './check-idioms.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

// Assembled here, or this file itself would count as a suppression.
const IGNORE = `// ${'biome'}-ignore lint/suspicious/noExplicitAny`
const EXPECT_ERROR = `// ${'@ts'}-expect-error`

const WRONG: [planted: string, path: string, text: string, says: string][] = [
  [
    'an assertion without its reason',
    'packages/engine/src/values/price.ts',
    '\nexport const price = (ticks as Price)',
    ":2 asserts 'as Price' without a comment that says why.",
  ],
  [
    'a vague name',
    'packages/web/src/format/utils.ts',
    '',
    ": 'utils' says nothing; name what the file holds.",
  ],
  [
    'a vague ending',
    'packages/server/src/http/mount-helpers.ts',
    '',
    ": 'mount-helpers' says nothing; name what the file holds.",
  ],
  ['a file in camel case', 'packages/web/src/ui/statusDot.tsx', '', ': file names are kebab-case.'],
  [
    'fetch on a screen',
    'packages/web/src/pages/home/home-page.tsx',
    "fetch('/api/orders')",
    ':1 calls fetch; the network belongs to data/.',
  ],
  [
    'an effect on a screen',
    'packages/web/src/pages/home/home-page.tsx',
    'useEffect(() => {})',
    ':1 uses an effect; effects belong to ui/, state/ and app/.',
  ],
  [
    'a second reader of the environment',
    'packages/server/src/http/request-guard.ts',
    'export const host = process.env.HOST',
    ':1 reads the environment; main passes it to config/.',
  ],
  [
    'an import from a folder above',
    'packages/engine/src/orders/order.ts',
    "import { price } from '../values/price.ts'",
    ":1 imports from a folder above; write '#folder/file.ts'.",
  ],
  [
    'an import from two folders above outside of the packages',
    'e2e/journeys/trader/orders.journey.ts',
    "import { test } from '../../test.ts'",
    ":1 imports from a folder above; write '#folder/file.ts'.",
  ],
  [
    'a spread of a literal',
    'packages/engine/src/orders/order.ts',
    'export const order = { ...{ side, price }, id }',
    ':1 spreads an object literal; list its fields.',
  ],
  [
    'a spread of literal props',
    'packages/web/src/pages/home/home-page.tsx',
    'export const page = <Page {...{ title }} />',
    ':1 spreads an object literal; list its fields.',
  ],
  [
    'a suppression without a reason',
    'packages/engine/src/engine.ts',
    `${IGNORE}: <explanation>`,
    ':1 suppresses a check without its reason on the same line.',
  ],
  [
    'an expected error without a reason',
    'packages/engine/src/engine.ts',
    EXPECT_ERROR,
    ':1 suppresses a check without its reason on the same line.',
  ],
]

test.each(WRONG)('planted: %s', (_, path, text, says) => {
  const suppressions = text.startsWith('// ') ? 1 : 0
  expect(checkIdioms(aTree({ [path]: text }, suppressions)).wrong).toEqual([`${path}${says}`])
})

const FINE: [what: string, path: string, text: string][] = [
  ['a spread of a condition', 'packages/engine/src/engine.ts', 'export const a = { ...(b && { b }) }'],
  ['as const', 'packages/contract/src/endpoint.ts', "export const METHODS = ['GET'] as const"],
  ['an import under another name', 'packages/server/src/main.ts', "import { a as b } from './a.ts'"],
  [
    'a reason above',
    'packages/engine/src/values/price.ts',
    '// Checked above.\nexport const price = ticks as Price',
  ],
  [
    'a reason beside',
    'packages/engine/src/values/price.ts',
    'export const price = ticks as Price // Checked above.',
  ],
  [
    'a reason above the statement',
    'packages/engine/src/values/price.ts',
    '// Checked above.\nexport const price = from(\n  ticks as Price,\n)',
  ],
  ['a wrong value in a test', 'packages/engine/src/engine.test.ts', 'place(1 as never)'],
  ['an expected error in a type test', 'packages/contract/src/endpoint.test-d.ts', EXPECT_ERROR],
]

test.each(FINE)('allowed: %s', (_, path, text) => {
  expect(checkIdioms(aTree({ [path]: text })).wrong).toEqual([])
})

test('planted: one suppression more than recorded', () => {
  const root = aTree({ 'packages/engine/src/engine.ts': `${IGNORE}: the library gives no type` })
  expect(checkIdioms(root).wrong).toEqual(['1 suppressions, but budgets.json allows 0 (suppressions).'])
})

test('one suppression fewer requires a lower recorded number', () => {
  expect(checkIdioms(aTree({}, 1)).wrong).toEqual([
    '0 suppressions: lower suppressions in budgets.json from 1 to 0.',
  ])
})

test('a suppression with its reason is counted in the notes', () => {
  const root = aTree({ 'packages/engine/src/engine.ts': `${IGNORE}: the library gives no type` }, 1)
  expect(checkIdioms(root)).toEqual({ wrong: [], notes: ['1 suppressions, each with its reason'] })
})

function aTree(files: Record<string, string>, suppressions = 0): string {
  return temporaryFolder({
    'tools/start.mjs': '',
    'budgets.json': JSON.stringify({ suppressions }),
    ...files,
  })
}
