import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { openDataFolder } from '#storage/data-folder.ts'
import { settingOwner } from '#storage/secret-box.ts'
import { newKeyCommand } from './new-key-command.ts'

const ACT = serverAuditContext('a test')
const SECRET = { key: 'mail_password', value: 'hunter2', description: '', category: 'x' }

test('[START-143] a new key opens the store again, names what is lost and is in the audit log', async () => {
  const { folder, file, key } = await folderWithSecret()
  rmSync(key)
  expect(await newKeyCommand(folder)).toBe(
    `${key} was created. What was sealed with the lost key can no longer be read: secret settings (1). Start the server and enter them again.`,
  )
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  const [newest] = await store.audit.page({}, Number.MAX_SAFE_INTEGER, 1)
  expect(newest).toMatchObject({
    action: 'new-key.command',
    actor: 'local',
    target: 'secret.key',
    after: '{"unreadable":"secret settings (1)"}',
  })
  const readSecret = async () =>
    store.secrets.open((await store.settings.find(SECRET.key))?.value ?? '', settingOwner(SECRET.key))
  expect(await readSecret()).toBeUndefined()
  await store.settings.update(ACT, SECRET.key, { value: 'again' })
  expect(await readSecret()).toBe('again')
})

test('[START-143] an existing key is never replaced', async () => {
  const { folder, key } = await folderWithSecret()
  const before = readFileSync(key)
  await expect(newKeyCommand(folder)).rejects.toThrow(`${key} exists. Nothing was changed`)
  expect(readFileSync(key)).toEqual(before)
})

test('[START-143] without sealed values nothing is changed', async () => {
  const folder = temporaryFolder()
  await (await openAdminStore(join(folder, 'admin.sqlite'))).close()
  rmSync(join(folder, 'secret.key'))
  expect(await newKeyCommand(folder)).toContain('No value is sealed, so nothing was changed')
  expect(existsSync(join(folder, 'secret.key'))).toBe(false)
})

test('[START-143] a folder in use and one without a store are refused, and nothing is created', async () => {
  const { folder, key } = await folderWithSecret()
  rmSync(key)
  const used = await openDataFolder(folder)
  await expect(newKeyCommand(folder)).rejects.toThrow('Another Binnacle server is already using')
  used.release()
  expect(existsSync(key)).toBe(false)
  const empty = temporaryFolder()
  await expect(newKeyCommand(empty)).rejects.toThrow(`There is no admin.sqlite in the data folder ${empty}.`)
  expect(readdirSync(empty)).toEqual([])
})

async function folderWithSecret() {
  const folder = temporaryFolder()
  const file = join(folder, 'admin.sqlite')
  const store = await openAdminStore(file)
  await store.settings.add(ACT, SECRET)
  await store.close()
  return { folder, file, key: join(folder, 'secret.key') }
}
