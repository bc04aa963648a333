import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { checkSource } from './check-source.ts'
import { writeStarterFiles } from './starter-files.ts'

function folderWithTypes(): string {
  const folder = join(temporaryFolder(), 'strategies')
  mkdirSync(folder)
  writeStarterFiles(folder)
  return folder
}

const HEAD = "import type { CreateStrategy } from './binnacle.ts'\n"

test('[EDIT-3] a module that can be created has no error, and is not written to the folder', async () => {
  const folder = folderWithTypes()
  const source = `${HEAD}export const createStrategy: CreateStrategy = () => ({ onBar() {} })\n`
  expect(await checkSource({ folder, name: 'mine.ts', source })).toBeNull()
  expect(readdirSync(folder)).not.toContain('mine.ts')
})

test.each([
  ['a syntax error', `${HEAD}\nexport const createStrategy = (\nlet a = 1`, 4, 'SyntaxError'],
  ['a line that throws', `${HEAD}const a: number = 1\nnull.x\n`, 3, 'TypeError'],
  [
    'an export that is missing',
    `${HEAD}export const other = 1\n`,
    null,
    'exports no function named createStrategy',
  ],
  [
    'an import that is forbidden',
    "import 'node:fs'\nexport const createStrategy = () => ({ onBar() {} })",
    null,
    'node:fs',
  ],
])('[EDIT-3] of %s the error and its line are found', async (_, source, line, text) => {
  const error = await checkSource({ folder: folderWithTypes(), name: 'mine.ts', source })
  expect(error).toMatchObject({ line, message: expect.stringContaining(text) })
})

test('[EDIT-13] at most two checks run at a time, and one whose client left is ended', async () => {
  const folder = folderWithTypes()
  const left = new AbortController()
  const endless = 'for (;;) {}'
  const begun = [1, 2, 3].map(() =>
    checkSource({ folder, name: 'mine.ts', source: endless, signal: left.signal }),
  )
  const waiting = checkSource({
    folder,
    name: 'mine.ts',
    source: 'export const createStrategy = () => ({ onBar() {} })',
  })
  left.abort()
  const ends = await Promise.all(begun)
  // The third waited for a place.
  expect(ends.map((end) => end?.message)).toEqual([
    'mine.ts was stopped',
    'mine.ts was stopped',
    'The check was ended.',
  ])
  expect(await waiting).toBeNull()
})
