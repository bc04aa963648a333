import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { checkModule } from './module-file.ts'

test('[CUST-9] a module must be a plain file in a folder without links', () => {
  const folder = temporaryFolder({ 'mine.ts': '' })
  expect(checkModule(folder, 'mine.ts')).toBeNull()
  mkdirSync(join(folder, 'folder.ts'))
  expect(checkModule(folder, 'folder.ts')).toBe('must be a regular file, not a folder or a link')
  symlinkSync('/etc/passwd', join(folder, 'passwords.json'))
  expect(checkModule(folder, 'mine.ts')).toBe('must be in a folder without links; passwords.json is a link')
  symlinkSync(join(folder, 'mine.ts'), join(folder, 'link.ts'))
  expect(checkModule(folder, 'link.ts')).toBe('must be a regular file, not a folder or a link')
})

test('[CUST-9] a folder whose path Node would read as a pattern is not used', () => {
  const folder = join(temporaryFolder(), 'a*b')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.ts'), '')
  expect(checkModule(folder, 'mine.ts')).toBe('cannot be run from a data folder with * in its path')
})

test('[CUST-9] a missing module is refused with the names of those in the folder', () => {
  const folder = temporaryFolder({ 'b.ts': '', 'a.js': '', 'notes.md': '', 'a.json': '' })
  expect(checkModule(folder, 'gone.ts')).toBe('No file gone.ts in strategies/. Found: a.js, b.ts.')
  expect(checkModule(join(folder, 'none'), 'gone.ts')).toBe('No file gone.ts in strategies/. Found: none.')
})
