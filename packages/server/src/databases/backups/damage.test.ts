import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobFailure } from '@binnacle/stores'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import type { NumberStore } from '#testkit/backups/backup-stores.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'
import { describeEveryStore } from '#testkit/backups/every-store.ts'

const ACT = serverAuditContext('test')

/** What may have happened to a backup: its folder, its main file, and another backup of the same connection. */
const DAMAGES: Record<string, (folder: string, file: string, other: string) => void> = {
  'a bit flipped at the beginning': (_, file) => flip(file, 0.02),
  'a bit flipped in the middle': (_, file) => flip(file, 0.5),
  'a bit flipped at the end': (_, file) => flip(file, 0.99),
  'a bit flipped in the manifest': (folder) => flip(join(folder, 'manifest.json'), 0.5),
  'a file cut short': (_, file) => truncateSync(file, Math.floor(readFileSync(file).length * 0.7)),
  'a file made longer': (_, file) => writeFileSync(file, 'x', { flag: 'a' }),
  'a file missing': (_, file) => rmSync(file),
  'the manifest missing': (folder) => rmSync(join(folder, 'manifest.json')),
  'a strange file': (folder) => writeFileSync(join(folder, 'contents', 'stranger'), ''),
  'a file of another backup in its place': (folder, file, other) =>
    cpSync(join(other, file.slice(folder.length)), file),
  'another backup in its place': (folder, _, other) => {
    rmSync(folder, { recursive: true })
    renameSync(other, folder)
  },
}

describeEveryStore((create) => {
  test('[BACKUP-4] a damaged backup is found before anything is changed', () => damageAll(create))
})

async function damageAll(create: () => Promise<NumberStore>): Promise<void> {
  const store = await create()
  const subject = subjectOf(store.source)
  const pristine = await newBackups(store.binFolder)
  const row = await pristine.backups.make(ACT, subject, quietControl())
  await store.change()
  const other = await pristine.backups.make(ACT, subject, quietControl())
  for (const [what, damage] of Object.entries(DAMAGES)) {
    const folder = temporaryFolder()
    cpSync(pristine.folder, folder, { recursive: true })
    const { backups } = await newBackups(store.binFolder, { folder })
    const found = (await backups.list('7')).find(({ name }) => name === row.name)
    const id = found?.id ?? 0
    damage(join(folder, row.name), mainFile(join(folder, row.name)), join(folder, other.name))
    await expect(backups.restore(ACT, subject, id, quietControl()), what).rejects.toThrow(JobFailure)
    expect(await store.read(), what).toEqual([1, 2, 3, 4])
    expect((await backups.find(id))?.status, what).toBe('damaged')
    await expect(backups.restore(ACT, subject, id, quietControl()), what).rejects.toThrow(
      `There is no completed backup ${id}.`,
    )
  }
}

function flip(file: string, where: number): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length * where)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(file, bytes)
}

function mainFile(folder: string): string {
  const contents = join(folder, 'contents')
  const names = readdirSync(contents)
  const name = names.find((one) => /\.(parquet|sqlite|pgc|bin)$/.test(one)) ?? ''
  return join(contents, name)
}
