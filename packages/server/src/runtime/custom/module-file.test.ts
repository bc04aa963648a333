import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { demandModule } from './module-file.ts'

test('[CUST-9] a module must be a plain file in a folder without links', () => {
  const folder = temporaryFolder({ 'mine.ts': '' })
  expect(demandModule(folder, 'mine.ts')).toBeNull()
  mkdirSync(join(folder, 'folder.ts'))
  expect(demandModule(folder, 'folder.ts')).toBe('must name a plain file, not a folder or a link')
  symlinkSync('/etc/passwd', join(folder, 'passwords.json'))
  expect(demandModule(folder, 'mine.ts')).toBe('must be in a folder without links; passwords.json is one')
  symlinkSync(join(folder, 'mine.ts'), join(folder, 'link.ts'))
  expect(demandModule(folder, 'link.ts')).toBe('must name a plain file, not a folder or a link')
})

test('[CUST-9] a folder whose path Node would read as a pattern is not used', () => {
  const folder = join(temporaryFolder(), 'a*b')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.ts'), '')
  expect(demandModule(folder, 'mine.ts')).toBe('cannot be run from a data folder with * in its path')
})

test('[CUST-9] a missing module is told with the names of those that are there', () => {
  const folder = temporaryFolder({ 'b.ts': '', 'a.js': '', 'notes.md': '', 'a.json': '' })
  expect(demandModule(folder, 'gone.ts')).toBe(
    'must name a file that is there; the folder strategies has a.js, b.ts',
  )
  expect(demandModule(join(folder, 'none'), 'gone.ts')).toBe(
    'must name a file that is there; the folder strategies has none',
  )
})
