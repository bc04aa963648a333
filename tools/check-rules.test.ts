import { expect, test } from 'vitest'
import { checkRules } from './check-rules.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const RULES = `# Rules
- **ORD-1** The table lists all orders.
- **ORD-2** Side is green for BUY.
- **RISK-1** The bar turns red above 80.
`

test('rules cited by unit tests and journeys count as tested', () => {
  const root = aTree(1, {
    'packages/web/src/orders.test.tsx': "test('[ORD-1] the table lists all orders', () => {})",
    'e2e/journeys/risk.journey.ts': `test(\`[RISK-1] the bar at \${value} is red\`, async () => {})`,
  })
  const { wrong, notes, untested } = checkRules(root)
  expect(wrong).toEqual([])
  expect(notes).toEqual(['3 rules, 2 of them cited by tests'])
  expect(untested).toEqual([{ id: 'ORD-2', text: 'Side is green for BUY.' }])
})

test('a title may cite two rules, and titles may be in a table', () => {
  const root = aTree(0, {
    'packages/web/src/orders.test.tsx':
      "test('[ORD-1] [ORD-2] both', () => {})\ntest.each([['[RISK-1] red', 81]])('%s', () => {})",
  })
  expect(checkRules(root).wrong).toEqual([])
})

test('docstrings of Python tests cite rules too', () => {
  const cites = (rule: string) => `\n    def test_it(self) -> None:\n        """[${rule}] it works"""\n`
  const root = aTree(2, {
    'packages/nautilus/python/tests/test_a.py': `class A:${cites('ORD-1')}${cites('ORD-98')}`,
  })
  expect(checkRules(root).wrong).toEqual([
    'packages/nautilus/python/tests/test_a.py:5 cites ORD-98, which docs/rules.md does not have.',
  ])
})

test('planted: a test cites a rule that does not exist', () => {
  const root = aTree(3, {
    'packages/web/src/orders.test.ts': "\ntest('[ORD-99] a rule nobody wrote', () => {})",
  })
  expect(checkRules(root).wrong).toEqual([
    'packages/web/src/orders.test.ts:2 cites ORD-99, which docs/rules.md does not have.',
  ])
})

test('planted: more rules lack a test than recorded', () => {
  expect(checkRules(aTree(2)).wrong).toEqual([
    '3 rules lack a test, but budgets.json allows 2 (rulesWithoutTest).',
  ])
})

test('fewer untested rules require a lower recorded number', () => {
  expect(checkRules(aTree(4)).wrong).toEqual([
    '3 rules lack a test: lower rulesWithoutTest in budgets.json from 4 to 3.',
  ])
})

test.each(['skip', 'todo', 'fixme'])('planted: a test with %s does not count', (off) => {
  const root = aTree(3, { 'packages/web/src/orders.test.ts': `test.${off}('[ORD-1] not run', () => {})` })
  expect(checkRules(root).wrong).toEqual([])
  expect(checkRules(root).untested).toHaveLength(3)
})

test('planted: a journey of the full tier does not count', () => {
  const root = aTree(3, { 'e2e/journeys/orders.journey.ts': "test('[ORD-1] not run', EDGE, async () => {})" })
  expect(checkRules(root).untested).toHaveLength(3)
})

test('planted: a test in a skipped group does not count', () => {
  const group = "describe.skip('orders', () => { test('[ORD-1] not run', () => {}) })"
  expect(checkRules(aTree(3, { 'packages/web/src/orders.test.ts': group })).untested).toHaveLength(3)
})

test('planted: one number for two rules', () => {
  const rules = `${RULES}- **ORD-2** Side is red otherwise.\n`
  expect(checkRules(aTree(4, { 'docs/rules.md': rules })).wrong).toEqual([
    'docs/rules.md numbers ORD-2 twice.',
  ])
})

test('planted: an unreadable list of rules is an error', () => {
  expect(checkRules(aTree(0, { 'docs/rules.md': '* ORD-1: another form' })).wrong).toEqual([
    'docs/rules.md holds no rule.',
  ])
})

function aTree(rulesWithoutTest: number, files: Record<string, string> = {}): string {
  return temporaryFolder({
    'docs/rules.md': RULES,
    'budgets.json': JSON.stringify({ rulesWithoutTest }),
    'tools/start.mjs': '',
    ...files,
  })
}
