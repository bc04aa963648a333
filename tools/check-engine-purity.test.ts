import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkEnginePurity } from './check-engine-purity.ts'
import { ROOT } from './launch/project.mjs'
import { temporaryFolder } from './testkit/temporary-folder.ts'

test.each([
  ['Date.now()', 'Date.now'],
  ['Math.random()', 'Math.random'],
  ['new Date()', 'new Date()'],
  ['Date()', 'Date()'],
  ["Date['now']()", "Date['now']"],
  ['globalThis.Date.now()', 'globalThis'],
  ['new Date(2026, 0, 1)', 'new Date(2026, 0, 1)'],
  ['new Clock(Date)', 'new Clock(Date)'],
  ['Math["random"]()', 'Math["random"]'],
  ['{ source: Math }', 'source: Math'],
  ['new Intl.NumberFormat().format(1)', 'Intl'],
  ['performance.now()', 'performance'],
  ['(1).toLocaleString()', 'toLocaleString'],
  ['names.sort((one, other) => one.localeCompare(other))', 'localeCompare'],
  ['new Date(0).getHours()', 'getHours'],
  ["new Date(0)['getDay']()", 'getDay'],
  ['new Date(0).getTimezoneOffset()', 'getTimezoneOffset'],
])('planted: the engine says %s', (expression, named) => {
  const root = temporaryFolder({ 'packages/engine/src/engine.ts': `\nexport const at = ${expression}\n` })
  expect(checkEnginePurity(root).wrong).toEqual([
    `packages/engine/src/engine.ts:2 uses ${named}; the engine takes time and chance as inputs and knows no locale.`,
  ])
})

test.each([
  ['const { now } = Date', '{ now } = Date'],
  ['const { random } = Math', '{ random } = Math'],
  ['const { getHours } = day', 'getHours'],
  ['const Clock = Date', 'Clock = Date'],
])('planted: the engine takes out %s', (line, named) => {
  const root = temporaryFolder({ 'packages/engine/src/engine.ts': `${line}\n` })
  expect(checkEnginePurity(root).wrong).toEqual([
    `packages/engine/src/engine.ts:1 uses ${named}; the engine takes time and chance as inputs and knows no locale.`,
  ])
})

test('a date of a given instant and the rest of Math are allowed', () => {
  const text =
    'export const at: Date = new Date(0)\nexport const hour = at.getUTCHours() + Date.UTC(2026)\nexport const top = Math.max(1, 2)\n'
  expect(checkEnginePurity(temporaryFolder({ 'packages/engine/src/engine.ts': text })).wrong).toEqual([])
})

test('other packages may read the clock', () => {
  const root = temporaryFolder({
    'packages/server/src/trading/runtime/wall-clock.ts': 'export const now = Date.now()',
  })
  expect(checkEnginePurity(root).wrong).toEqual([])
})

test.each([
  ['a timer', 'setTimeout(() => {}, 1)', "Cannot find name 'setTimeout'"],
  ['the console', "console.log('x')", "Cannot find name 'console'"],
  ['the network', "fetch('/x')", "Cannot find name 'fetch'"],
  ['the process', 'process.exit(1)', "Cannot find name 'process'"],
  ['a file', "import 'node:fs'", "side-effect import of 'node:fs'"],
])("planted: %s in the engine does not compile under the engine's own settings", (_, line, error) => {
  expect(compileEngineWith(line)).toContain(error)
})

/** The engine's real compiler settings over one planted line, with a test beside it as in the real folder. */
function compileEngineWith(line: string): string {
  const root = temporaryFolder({
    'packages/engine/src/engine.ts': `${line}\nexport const engine = 1\n`,
    'packages/engine/src/engine.test.ts': "import { test } from 'vitest'\ntest('engine', () => {})\n",
  })
  for (const path of [
    'tsconfig.base.json',
    'packages/engine/tsconfig.json',
    'packages/engine/package.json',
  ]) {
    cpSync(join(ROOT, path), join(root, path))
  }
  mkdirSync(join(root, '.cache'))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const tsc = join(ROOT, 'node_modules/typescript7/bin/tsc')
  return spawnSync(process.execPath, [tsc, '-p', 'packages/engine'], { cwd: root, encoding: 'utf8' }).stdout
}
