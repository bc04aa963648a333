import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { openAdminStore } from './admin-store.ts'

test('settings are seeded once: what was changed or deleted stays so over a restart', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const first = await openAdminStore(file)
  expect(await first.settings.list()).toHaveLength(9)
  expect(await first.settings.update('cache_ttl', '60')).toBe(true)
  expect(await first.settings.update('nothing', '60')).toBe(false)
  await first.close()
  const other = new DatabaseSync(file)
  other.exec("DELETE FROM settings WHERE key = 'environment'")
  other.close()

  const second = await openAdminStore(file)
  const keptSettings = await second.settings.list()
  await second.close()
  expect(keptSettings).toHaveLength(8)
  expect(keptSettings.find(({ key }) => key === 'cache_ttl')?.value).toBe('60')
})

test('an update is on the disk before it is answered: it survives without a close', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const store = await openAdminStore(file)
  await store.settings.update('system_name', 'Desk 7')
  const other = new DatabaseSync(file, { readOnly: true })
  const row = other.prepare("SELECT value FROM settings WHERE key = 'system_name'").get()
  other.close()
  await store.close()
  expect(row?.value).toBe('Desk 7')
})
