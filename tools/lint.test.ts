import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './launch/project.mjs'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const BRANCHES = Array.from({ length: 11 }, (_, index) => `  if (n === ${index}) return ${index}\n`).join('')
const STATEMENTS = Array.from({ length: 61 }, (_, index) => `  n += ${index}\n`).join('')

test.each([
  ['a default export', 'export default function place() {}', 'lint/style/noDefaultExport'],
  ['any', 'export const order: any = 1', 'lint/suspicious/noExplicitAny'],
  ['an enum', "export enum Side { Buy = 'BUY' }", 'lint/style/noEnum'],
  ['a namespace', 'export namespace Orders { export const a = 1 }', 'lint/style/noNamespace'],
  [
    'a parameter property',
    'export class Order { constructor(readonly id: string) {} }',
    'lint/style/noParameterProperties',
  ],
  ['an unused import', "import { a } from './a.ts'\nexport {}", 'lint/correctness/noUnusedImports'],
  ['a type imported as a value', "import { A } from './a.ts'\nexport type B = A", 'lint/style/useImportType'],
  [
    'eleven branches',
    `export function name(n: number) {\n${BRANCHES}  return n\n}`,
    'lint/complexity/noExcessiveCognitiveComplexity',
  ],
  [
    'a function of more than 60 lines',
    `export function add(n: number) {\n${STATEMENTS}  return n\n}`,
    'lint/complexity/noExcessiveLinesPerFunction',
  ],
])("planted: %s is refused by the project's Biome settings", (_, text, rule) => {
  expect(refusals(`${text}\n`)).toContain(rule)
})

test('what the style asks for is not refused', () => {
  expect(refusals("export type Side = 'BUY' | 'SELL'\nexport const side: Side = 'BUY'\n")).toEqual([])
})

function refusals(text: string): string[] {
  const folder = temporaryFolder({ 'file.ts': text })
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const options = [`--config-path=${ROOT}`, '--vcs-use-ignore-file=false', '--reporter=github']
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, folder], { encoding: 'utf8' })
  return [...stdout.matchAll(/^::error title=([\w/]+)/gm)].map((match) => match[1] ?? '')
}
