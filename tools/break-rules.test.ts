import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BREAKAGES } from './break-rules.list.ts'
import { breakRules } from './break-rules.ts'
import { applyEdit, type Breakage } from './breaking/breakage.ts'
import { copyTree } from './breaking/tree-copy.ts'
import { ROOT } from './launch/project.mjs'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const LIMIT = 'packages/engine/src/limit.ts'
const TESTS = 'packages/engine/src/limit.test.ts'
const RED_TESTS = 'packages/engine/src/red.test.ts'

test('an edit counts only if a test that cites its rule turns red', async () => {
  const breakages: Breakage[] = [
    ['RISK-7', LIMIT, '> 80', '>= 80', TESTS],
    ['RISK-7', LIMIT, '> 80', '> 80.5', TESTS],
    ['RISK-7', LIMIT, 'name = 1', 'name = 2', TESTS],
    ['the name', LIMIT, 'name = 1', 'name = 2', TESTS],
    ['RISK-7', LIMIT, '> 80', '> (', TESTS],
    ['RISK-8', LIMIT, '> 80', '>= 80', TESTS],
    ['RISK-9', LIMIT, '> 80', '>= 80', RED_TESTS],
    ['RISK-7', LIMIT, 'nowhere', '', TESTS],
  ]
  expect(await verdicts(breakages)).toEqual([
    'red',
    'still green',
    'still green',
    'red',
    'does not run',
    'no test cites it',
    'red before',
    'edit does not fit',
  ])
})

test('every edit of the list fits its file, and its tests exist', () => {
  const isOff = ([, file, find, , ...tests]: Breakage) =>
    applyEdit(readFileSync(join(ROOT, file), 'utf8'), find, '') === undefined ||
    !tests.every((path) => existsSync(join(ROOT, path)))
  expect(BREAKAGES.filter(isOff)).toEqual([])
})

test('the tree itself is never changed, and the copy is deleted', () => {
  const copy = copyTree(aTree())
  copy.write(LIMIT, 'broken')
  expect(copy.read(LIMIT)).toBe('broken')
  copy.close()
  expect(existsSync(copy.folder)).toBe(false)
})

async function verdicts(breakages: Breakage[]): Promise<string[]> {
  vi.spyOn(console, 'log').mockReturnValue()
  const copy = copyTree(aTree())
  onTestFinished(copy.close)
  const results = await breakRules([copy], breakages)
  return results.map(({ verdict }) => verdict)
}

function aTree(): string {
  const root = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'vitest.config.ts': "export default { test: { include: ['packages/**/*.test.ts'] } }",
    [LIMIT]: 'export const isOver = (percent: number) => percent > 80\nexport const name = 1\n',
    [TESTS]: `
      import { expect, test } from 'vitest'
      import { isOver, name } from './limit.ts'
      test('[RISK-7] the bar turns red above 80, not at it', () => {
        expect([isOver(80), isOver(81)]).toEqual([false, true])
      })
      test('the name is one', () => expect(name).toBe(1))
    `,
    [RED_TESTS]: `
      import { expect, test } from 'vitest'
      test('[RISK-9] red from the start', () => expect(1).toBe(2))
    `,
  })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}
