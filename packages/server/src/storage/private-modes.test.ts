import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { restrictModes } from './private-modes.ts'

test('[START-7] folders become 0700 and files 0600, and links are not followed', async () => {
  const folder = temporaryFolder({ 'data/admin.sqlite': '', 'data/backups/a/manifest.json': '', outside: '' })
  const data = join(folder, 'data')
  mkdirSync(join(data, 'private'), { mode: 0o700 })
  writeFileSync(join(data, 'private', 'secret.key'), '', { mode: 0o600 })
  symlinkSync(join(folder, 'outside'), join(data, 'link'))
  for (const path of ['data', 'data/backups', 'data/backups/a']) chmodSync(join(folder, path), 0o755)
  for (const path of ['data/admin.sqlite', 'data/backups/a/manifest.json', 'outside'])
    chmodSync(join(folder, path), 0o644)
  expect(await restrictModes(data)).toBe(5)
  const modes = ['data', 'data/backups/a', 'data/admin.sqlite', 'data/backups/a/manifest.json', 'outside']
  expect(modes.map((path) => (statSync(join(folder, path)).mode & 0o777).toString(8))).toEqual([
    '700',
    '700',
    '600',
    '600',
    '644',
  ])
  expect(await restrictModes(data)).toBe(0)
})
