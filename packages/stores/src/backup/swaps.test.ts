import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { DamagedSwapNote, finishSwaps } from './swaps.ts'

test('[BACKUP-300] a damaged note of an interrupted restore is named and stays', async () => {
  const folder = temporaryFolder()
  const note = join(folder, 'torn.json')
  writeFileSync(note, '{"isReady":tr')
  const finished = finishSwaps(folder)
  await expect(finished).rejects.toBeInstanceOf(DamagedSwapNote)
  await expect(finished).rejects.toThrow(`The note ${note} of an interrupted restore is damaged`)
  expect(existsSync(note)).toBe(true)
})
