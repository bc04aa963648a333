import { expect, test } from 'vitest'
import { checkSizes } from './check-sizes.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

test('files at their stop pass, and the sizes are reported', () => {
  const root = temporaryFolder({
    'packages/server/src/main.ts': lines(300),
    'packages/web/src/ui/table.tsx': lines(200),
    'packages/web/src/ui/table.test.tsx': lines(500),
  })
  expect(checkSizes(root)).toEqual({
    wrong: [],
    notes: ['3 files, median 300 lines, 95 % within 500 (aim: 50 to 90, and 220)'],
  })
})

test.each([
  ['packages/server/src/main.ts', 301, 'a source file stops at 300.'],
  ['packages/web/src/ui/table.tsx', 201, 'a component file stops at 200.'],
  ['packages/web/src/ui/table.test.tsx', 501, 'a test file stops at 500.'],
  ['tools/start.mjs', 301, 'a source file stops at 300.'],
])('planted: %s with %i lines', (path, count, says) => {
  const root = temporaryFolder({ [path]: lines(count) })
  expect(checkSizes(root).wrong).toEqual([`${path} has ${count} lines; ${says}`])
})

test('planted: a folder with 21 files; tests do not count', () => {
  const names = Array.from({ length: 21 }, (_, index) => `packages/server/src/http/file-${index}`)
  const sources = Object.fromEntries(names.map((name) => [`${name}.ts`, '']))
  const tests = Object.fromEntries(names.map((name) => [`${name}.test.ts`, '']))
  const root = temporaryFolder({ ...sources, ...tests })
  expect(checkSizes(root).wrong).toEqual(['packages/server/src/http holds 21 files; a folder stops at 20.'])
})

function lines(count: number): string {
  return 'export {}\n'.repeat(count)
}
