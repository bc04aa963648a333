import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import type { BackupContext } from './backup-context.ts'
import { clearStagedStores } from './staging-notes.ts'

test.each(['{"identi', '{}'])(
  '[BACKUP-301] the damaged staging note %s is reported and stays',
  async (text) => {
    const folder = temporaryFolder()
    const note = join(folder, '.staging-1.json')
    writeFileSync(note, text)
    const reports: string[] = []
    // The only part that is read without a store to clear.
    const context = { vault: { at: (name: string) => join(folder, name) } } as unknown as BackupContext
    await clearStagedStores(context, [], (event, message) => reports.push(`${event}: ${message}`))
    expect(reports).toEqual([
      `restore.not-cleared: ${note} is damaged. Clear the staged data of its store, then delete it.`,
    ])
    expect(existsSync(note)).toBe(true)
  },
)
