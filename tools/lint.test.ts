import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './launch/project.mjs'
import { temporaryFolder } from './testkit/temporary-folder.ts'

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
])("planted: %s is refused by the project's Biome settings", (_, text, rule) => {
  expect(refusals(`${text}\n`)).toContain(rule)
})

test('code in the style of the project is accepted', () => {
  expect(refusals("export type Side = 'BUY' | 'SELL'\nexport const side: Side = 'BUY'\n")).toEqual([])
})

function refusals(text: string): string[] {
  const folder = temporaryFolder({ 'file.ts': text })
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const options = [`--config-path=${ROOT}`, '--vcs-use-ignore-file=false', '--reporter=github']
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, folder], { encoding: 'utf8' })
  return [...stdout.matchAll(/^::error title=([\w/]+)/gm)].map((match) => match[1] ?? '')
}
