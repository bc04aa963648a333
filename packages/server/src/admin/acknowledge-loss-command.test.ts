import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { openDataFolder } from '#storage/data-folder.ts'
import { acknowledgeLossCommand } from './acknowledge-loss-command.ts'

const ACT = serverAuditContext('a test')

test('[ADM-141] an acknowledged loss is in the log, which verifies as intact until the next loss', async () => {
  const { folder, file, early } = await folderWithLoss()
  expect(await acknowledgeLossCommand(folder)).toContain('the loss in the audit log recorded as 2.')
  const store = await openAdminStore(file)
  expect((await store.audit.verify()).fault).toBeUndefined()
  const [newest, loss] = await store.audit.page({}, Number.MAX_SAFE_INTEGER, 2)
  expect(newest).toMatchObject({
    seq: 3,
    action: 'acknowledge-loss.command',
    actor: 'local',
    after: '{"acknowledged":[2]}',
  })
  expect(loss).toMatchObject({ seq: 2, action: 'audit.compare' })
  await store.close()
  writeFileSync(file, early)
  const again = await openAdminStore(file)
  onTestFinished(() => again.close())
  expect((await again.audit.verify()).fault?.detail).toContain('has lost records 2 to 3')
})

test('[ADM-141] without a loss nothing is recorded', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'admin.sqlite')
  await change(file)
  expect(await acknowledgeLossCommand(folder)).toContain('no loss to acknowledge')
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  expect(await store.audit.head()).toMatchObject({ seq: 1 })
})

test('[ADM-141] a folder in use and one without a store are refused, and nothing is created', async () => {
  const { folder } = await folderWithLoss()
  const used = await openDataFolder(folder)
  await expect(acknowledgeLossCommand(folder)).rejects.toThrow('Another Binnacle server is already using')
  used.release()
  const empty = temporaryFolder()
  await expect(acknowledgeLossCommand(empty)).rejects.toThrow(
    `There is no admin.sqlite in the data folder ${empty}.`,
  )
  expect(readdirSync(empty)).toEqual([])
})

/** A folder where an older copy of the admin store was put back by hand. */
async function folderWithLoss() {
  const folder = temporaryFolder()
  const file = join(folder, 'admin.sqlite')
  await change(file)
  const early = readFileSync(file)
  await change(file)
  writeFileSync(file, early)
  return { folder, file, early }
}

async function change(file: string): Promise<void> {
  const store = await openAdminStore(file)
  await store.audit.record(ACT, { entity: 'sample', target: 'a', before: null, after: null })
  await store.close()
}
