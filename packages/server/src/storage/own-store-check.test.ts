import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { startServer } from '#server.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { testEnvironment } from '#testkit/running-server.ts'
import { checkOwnStores, nameOfStore, ownStoresIn } from './own-store-check.ts'
import { findSettingFault } from './setting-check.ts'

test('[ADM-16] [BACKUP-40] intact stores have no fault; a foreign trigger, a damaged page, a changed journal entry and a missing file are named', async () => {
  const env = testEnvironment()
  const server = await startServer(parseConfig(env))
  await server.close(5000)
  const at = (...names: string[]) => join(env.BINNACLE_DATA ?? '', ...names)
  const paths = await ownStoresIn(at())
  const faults = async () =>
    Object.fromEntries((await checkOwnStores(paths)).map(({ store, fault }) => [store, fault]))
  expect(await faults()).toEqual({
    admin: undefined,
    journal: undefined,
    orders: undefined,
    samples: undefined,
  })

  const admin = new DatabaseSync(paths.adminFile)
  admin.exec('CREATE TRIGGER sent_on AFTER INSERT ON jobs BEGIN DELETE FROM alerts; END')
  expect(await faults()).toMatchObject({ admin: expect.stringContaining("has the trigger 'sent_on', which") })
  admin.exec('DROP TRIGGER sent_on')
  admin.close()

  const journal = new DatabaseSync(at('journal.sqlite'))
  journal.exec("UPDATE entries SET text = replace(text, '1', '2') WHERE seq = (SELECT min(seq) FROM entries)")
  journal.close()
  const handle = openSync(paths.adminFile, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, statSync(paths.adminFile).size - 4096)
  closeSync(handle)
  const found = await checkOwnStores({
    ...paths,
    ...(paths.embedded && { embedded: { ...paths.embedded, ordersFile: at('gone.sqlite') } }),
  })
  expect(found).toMatchObject([
    { store: 'admin', fault: expect.stringContaining('is damaged') },
    { store: 'journal', fault: expect.stringMatching(/entry \d+/) },
    { store: 'orders', fault: `${at('gone.sqlite')} is missing.` },
    { store: 'samples', fault: undefined },
  ])
})

test('[NAUT-98] a folder that has only served NautilusTrader nodes has no journal and no orders to check', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'format.json'), JSON.stringify({ format: 1 }))
  await (await openAdminStore(join(folder, 'admin.sqlite'))).close()
  expect(await checkOwnStores(await ownStoresIn(folder))).toMatchObject([
    { store: 'admin', fault: undefined },
    { store: 'samples', fault: expect.stringContaining('is missing') },
  ])
  const stores = ['admin.sqlite', 'journal.sqlite']
  writeFileSync(join(folder, 'format.json'), JSON.stringify({ format: 1, stores }))
  expect((await checkOwnStores(await ownStoresIn(folder))).map(({ store }) => store)).toContain('journal')
})

test('[ENGS-24] the stores of further engines are checked too, and a fault names the engine', async () => {
  const folder = temporaryFolder({ 'format.json': '{"format":1}' })
  await (await openAdminStore(join(folder, 'admin.sqlite'))).close()
  mkdirSync(join(folder, 'engines', 'second'), { recursive: true })
  mkdirSync(join(folder, 'engines', 'node'))
  writeFileSync(join(folder, 'engines', 'second', 'journal.sqlite'), 'This is not a database.')
  const checks = await checkOwnStores(await ownStoresIn(folder))
  expect(checks.map(nameOfStore)).toEqual([
    ...['admin', 'samples', 'samples of node', 'journal of second', 'orders of second', 'samples of second'],
  ])
  expect(checks.find(({ store }) => store === 'journal')).toMatchObject({
    engine: 'second',
    file: join(folder, 'engines', 'second', 'journal.sqlite'),
    fault: expect.stringContaining('journal.sqlite is damaged'),
  })
})

test('[ADM-17] a changed digit in a setting is named, whether it was ever saved or not', async () => {
  const env = testEnvironment()
  const file = join(env.BINNACLE_DATA ?? '', 'admin.sqlite')
  const server = await startServer(parseConfig(env))
  await server.close(5000)
  const store = await openAdminStore(file)
  const audit = serverAuditContext('settings.update')
  await store.settings.update(audit, 'cache_ttl', { value: '7200' })
  await store.settings.add(audit, {
    key: 'smtp_password',
    value: 'hunter2',
    description: '',
    category: 'notifications',
  })
  await store.settings.remove(audit, 'sms_notifications')
  await store.close()
  const database = new DatabaseSync(file)
  const faultAfter = (statement: string) => {
    database.exec(statement)
    return findSettingFault(database)
  }
  expect(faultAfter('SELECT 1')).toBeUndefined()
  const set = (key: string, value: string) => `UPDATE settings SET value = '${value}' WHERE key = '${key}'`
  expect(faultAfter(set('cache_ttl', '7201'))).toBe(
    "The setting 'cache_ttl' differs from its last audit record. Check its value and save it again.",
  )
  expect(faultAfter(set('cache_ttl', '7200'))).toBeUndefined()
  expect(faultAfter(set('session_timeout', '31'))).toContain("'session_timeout'")
  expect(faultAfter(set('session_timeout', '30'))).toBeUndefined()
  expect(faultAfter("DELETE FROM settings WHERE key = 'system_name'")).toContain("'system_name'")
  database.close()
  const [admin] = await checkOwnStores({ adminFile: file, samplesFile: '' })
  expect(admin?.fault).toContain("'system_name'")
})
