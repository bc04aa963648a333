import { expect, test } from 'vitest'
import { checkWords, readSources } from './check-words.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const SOURCE = 'packages/server/src/databases/connections.ts'

test.each([
  ['a variable', 'const toldRows = 1', 'toldRows', 'tell'],
  ['a constant', 'const TELL_EVERY = 1', 'TELL_EVERY', 'tell'],
  ['a function', 'function obeyCommand() {}', 'obeyCommand', 'obey'],
  ['a parameter', 'export const send = (wish: string) => 1', 'wish', 'wish'],
  ['a destructured name', 'const { orders: heard } = desk', 'heard', 'hear'],
  ['a type', 'export type OrderWishes = string', 'OrderWishes', 'wish'],
  ['an interface', 'interface Greeting {}', 'Greeting', 'greet'],
  ['a property of a type', 'interface Message { told_at: string }', 'told_at', 'tell'],
  ['a property of an object', 'send({ narrowing: 1 })', 'narrowing', 'narrowing'],
  ['a quoted property', "send({ 'x-upkeep': 1 })", 'x-upkeep', 'upkeep'],
  ['a private name', 'class Desk { #mourn() {} }', '#mourn', 'mourn'],
  ['an alias', "import { a as deed } from './a.ts'", 'deed', 'deed'],
  ['kept as a noun', 'const ROWS_KEPT = 3', 'ROWS_KEPT', 'kept'],
  ['kept in a type', 'interface KeptDesk {}', 'KeptDesk', 'kept'],
  ['asked as a type', 'type Asked = string', 'Asked', 'asked'],
])('planted: %s', (_, text, name, word) => {
  expect(checkWords(aTree({ [SOURCE]: text })).wrong).toEqual([
    `${SOURCE}:1 name '${name}' uses the banned word '${word}'.`,
  ])
})

test.each([
  [
    'a text for users',
    SOURCE,
    "throw refuse('The connection is forgotten.')",
    'The connection is forgotten.',
    'is forgotten',
  ],
  ['a template', SOURCE, 'say(`$' + '{name} was told to stop`)', 'was told to stop', 'tell'],
  [
    'text in markup',
    'packages/web/src/ui/empty.tsx',
    'export const Empty = () => <p>Nothing heard</p>',
    'Nothing heard',
    'hear',
  ],
  [
    'an attribute',
    'packages/web/src/ui/empty.tsx',
    'export const Empty = () => <p title="Begin anew" />',
    'Begin anew',
    'anew',
  ],
  [
    'a description',
    'packages/contract/src/shared.ts',
    "export const Id = z.string().describe('Whoever owns it')",
    'Whoever owns it',
    'whoever',
  ],
])('planted: %s', (_, path, text, found, word) => {
  expect(checkWords(aTree({ [path]: text })).wrong).toEqual([
    `${path}:1 text '${found}' uses the banned word '${word}'.`,
  ])
})

test('planted: a problem document', () => {
  const path = 'packages/contract/src/problem.ts'
  const text = "export const PROBLEMS = {\n  order_unknown: { status: 404, title: 'There is none' },\n}"
  expect(checkWords(aTree({ [path]: text })).wrong).toEqual([
    `${path}:2 text 'There is none' uses the banned word 'is none'.`,
  ])
})

test('planted: a file name', () => {
  const path = 'packages/server/src/databases/greeting.ts'
  expect(checkWords(aTree({ [path]: '' })).wrong).toEqual([
    `${path} name 'greeting' uses the banned word 'greet'.`,
  ])
})

test('planted: a guide, a phrase over two lines and the rules', () => {
  const root = aTree({
    'docs/guide/orders.md': '# Orders\n\nWithout a limit there is\nnone. Tell the desk.',
    'docs/rules.md': '- ORD-1 The desk obeys.',
  })
  expect(checkWords(root).wrong.toSorted()).toEqual([
    "docs/guide/orders.md:3 text 'Without a limit there is' uses the banned word 'is none'.",
    "docs/guide/orders.md:4 text 'none. Tell the desk.' uses the banned word 'tell'.",
    "docs/rules.md:1 text '- ORD-1 The desk obeys.' uses the banned word 'obey'.",
  ])
})

test.each([
  ['words that contain a banned one', SOURCE, "const intelligence = shearing('foretell')"],
  ['kept and asked in a sentence', SOURCE, "note('Backups are kept for the days asked for')"],
  ['kept in a claim', SOURCE, 'const isKept = true'],
  ['a variable named asked', SOURCE, 'const asked = 1'],
  ['the path of an import', SOURCE, "import './greeting.ts'"],
  ['a text of a test', 'packages/server/src/databases/connections.test.ts', "test('it is told', () => {})"],
])('allowed: %s', (_, path, text) => {
  expect(checkWords(aTree({ [path]: text })).wrong).toEqual([])
})

test('a stored name is allowed as a name and as a text', () => {
  const root = aTree({ [SOURCE]: "interface Row { told_by: string }\nread('told_by')" })
  expect(checkWords(root).wrong).toHaveLength(2)
  expect(checkWords(root, readSources(root, ['told_by'])).wrong).toEqual([])
})

function aTree(files: Record<string, string>): string {
  return temporaryFolder({ 'README.md': '# Binnacle', 'tools/start.mjs': '', ...files })
}
