import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { writeStarterFiles } from './starter-files.ts'

const textOf = (...path: string[]) => readFileSync(join(...path), 'utf8')

test('[CUST-11] a first start lays out the types, a template and an example', () => {
  const folder = join(temporaryFolder(), 'strategies')
  writeStarterFiles(folder)
  expect(readdirSync(folder).sort()).toEqual(['binnacle.ts', 'example.ts', 'template.ts'])
  expect(textOf(folder, 'example.ts')).toContain("import type { CreateStrategy } from './binnacle.ts'")
})

test('[CUST-11] later starts leave what a person wrote and renew only the types', () => {
  const folder = join(temporaryFolder(), 'strategies')
  writeStarterFiles(folder)
  rmSync(join(folder, 'template.ts'))
  writeFileSync(join(folder, 'example.ts'), 'mine')
  writeFileSync(join(folder, 'binnacle.ts'), 'of an older server')
  writeStarterFiles(folder)
  expect(readdirSync(folder).sort()).toEqual(['binnacle.ts', 'example.ts'])
  expect(textOf(folder, 'example.ts')).toBe('mine')
  expect(textOf(folder, 'binnacle.ts')).toContain('export type CreateStrategy')
})

test('[START-5] a starter file that a power failure left empty is laid out again', () => {
  const folder = join(temporaryFolder(), 'strategies')
  writeStarterFiles(folder)
  const example = textOf(folder, 'example.ts')
  writeFileSync(join(folder, 'example.ts'), '')
  writeStarterFiles(folder)
  expect(textOf(folder, 'example.ts')).toBe(example)
  expect(readdirSync(folder).sort()).toEqual(['binnacle.ts', 'example.ts', 'template.ts'])
})

test('[CUST-11] a folder that cannot be made keeps nobody from starting', () => {
  const folder = temporaryFolder({ file: '' })
  expect(() => writeStarterFiles(join(folder, 'file', 'strategies'))).not.toThrow()
})

test('[CUST-11] the guide shows the template and the example as they are laid out', () => {
  const guide = textOf(import.meta.dirname, '../../../docs/guide/custom-strategies.md')
  for (const name of ['template.ts', 'example.ts']) {
    expect(guide).toContain(`\`\`\`ts\n${textOf(import.meta.dirname, 'starter', name)}\`\`\``)
  }
})
