import { expect, test } from 'vitest'
import { describe, measure } from './report.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

test('the report counts files, lines and small files', async () => {
  const root = temporaryFolder({
    'packages/server/src/main.ts': lines(300),
    'packages/server/src/http/mount.ts': lines(10),
    'packages/server/src/http/mount.test.ts': lines(40),
  })
  const report = describe(await measure(root))
  expect(report).toContain('all files:            3 files, median 40 lines, p95 300, 33 % under 25 lines')
  expect(report).toContain('product (packages):   2 files, median 300 lines, p95 300, 50 % under 25 lines')
  expect(report).toContain('folder depth:         1 levels at most (files per level: 0: 1, 1: 1)')
  expect(report).toContain('loose server files:   1')
})

test('the report lists long functions, many branches and many parameters', async () => {
  const branches = Array.from({ length: 16 }, (_, index) => `  if (a === ${index}) return ${index}\n`).join(
    '',
  )
  const root = temporaryFolder({
    'packages/server/src/long.ts': `function long() {\n${'  work()\n'.repeat(80)}}\n`,
    'packages/server/src/branches.ts': `const decide = (a) => {\n${branches}  return a\n}\n`,
    'packages/server/src/parameters.ts': 'function place(a, b, c, d, e) {}',
  })
  const report = describe(await measure(root))
  expect(report).toContain('packages/server/src/long.ts:1 long: 82 lines')
  expect(report).toContain('packages/server/src/branches.ts:1 decide: 16 branches')
  expect(report).toContain('packages/server/src/parameters.ts:1 place: 5 parameters')
})

test('the report counts catch clauses and lists crowded and deep folders', async () => {
  const names = Array.from({ length: 26 }, (_, index) => `packages/web/src/ui/file-${index}`)
  const root = temporaryFolder({
    ...Object.fromEntries(names.map((name) => [`${name}.ts`, ''])),
    ...Object.fromEntries(names.map((name) => [`${name}.test.ts`, ''])),
    'packages/web/src/a/b/c/d/deep.ts': 'try { load() } catch { }',
  })
  const report = describe(await measure(root))
  expect(report).toContain('catch clauses:        1')
  expect(report).toContain('  packages/web/src/ui: 26 files')
  expect(report).toContain('Folders 4 or more levels below src:\n  packages/web/src/a/b/c/d')
})

test('the report lists folders that import one another, at any level', async () => {
  const root = temporaryFolder({
    'packages/engine/src/orders/order.ts': "import '../risk/gate.ts'",
    'packages/engine/src/risk/gate.ts': "import '../orders/life/states.ts'",
    'packages/engine/src/orders/life/states.ts': '',
    'packages/engine/src/values/price.ts': '',
    'packages/engine/src/values/price.test.ts': "import '../orders/order.ts'",
  })
  const report = describe(await measure(root))
  expect(report).toContain(
    'mutual folder imports: 1\n\nFolders that import one another:\n  packages/engine/src/orders and packages/engine/src/risk\n',
  )
})

function lines(count: number): string {
  return 'export {}\n'.repeat(count)
}
