import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JobControl } from '#job-control.ts'
import { cleanParquet } from '#parquet/maintenance.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { copyTree } from './copy-tree.ts'

const OLD_MONTHS = { '2019-01.parquet': 'one', '2019-02.parquet': 'two' }

/** The recording of the market, which renames its file while another job comes to it. */
function controlThatRemoves(file: string): JobControl {
  const remove = () => rmSync(file, { force: true })
  return { signal: new AbortController().signal, progress: remove, log: remove }
}

test('[MAINT-54] a copy leaves out a file that is gone when the copy comes to it', async () => {
  const from = temporaryFolder({ '2024-01.parquet': 'one', '2024-02.parquet.new': 'two' })
  const to = join(temporaryFolder(), 'copy')
  await copyTree(from, to, controlThatRemoves(join(from, '2024-02.parquet.new')))
  expect(readdirSync(to)).toEqual(['2024-01.parquet'])
})

test('[MAINT-54] a clean passes over a file that is gone when the clean comes to it', async () => {
  const folder = temporaryFolder(OLD_MONTHS)
  for (const name of Object.keys(OLD_MONTHS)) utimesSync(join(folder, name), 0, 0)
  const gone = join(folder, '2019-01.parquet')
  await cleanParquet(folder, { before: new Date(), dryRun: false }, controlThatRemoves(gone))
  expect(existsSync(gone)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})
