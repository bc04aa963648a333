import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { actOfServer } from '#audit/act.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { openAdminStore } from './admin-store.ts'

const ACT = actOfServer('a test')

test('settings are seeded once: what was changed or deleted stays so over a restart', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const first = await openAdminStore(file)
  expect(await first.settings.list()).toHaveLength(9)
  expect(await first.settings.update(ACT, 'cache_ttl', { value: '60' })).toMatchObject({ ok: true })
  expect(await first.settings.update(ACT, 'nothing', { value: '60' })).toEqual({
    ok: false,
    reason: 'unknown',
  })
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
  await store.settings.update(ACT, 'system_name', { value: 'Desk 7' })
  const other = new DatabaseSync(file, { readOnly: true })
  const row = other.prepare("SELECT value FROM settings WHERE key = 'system_name'").get()
  other.close()
  await store.close()
  expect(row?.value).toBe('Desk 7')
})
