import { createCipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { connectionOwner } from '#storage/admin/connections-store.ts'
import { adminMigrations } from '#storage/admin-migrations.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { openMigrated } from '#storage/migrate.ts'
import { secretBoxBeside } from '#storage/secret-box.ts'

test('[ADM-10] [ADM-12] [ADM-13] secrets that an older store had in clear are sealed, bound and masked', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const old = Object.entries(adminMigrations(secretBoxBeside(file))).filter(([name]) => name < '0021')
  await (await openMigrated(file, Object.fromEntries(old))).destroy()
  const database = new DatabaseSync(file)
  database.exec(`
    INSERT INTO settings VALUES ('smtp_password', 'hunter2', '', 'mail');
    INSERT INTO api_configs VALUES (1, 'Feed', 'https://feed.example/?api_key=hunter2', 1);
    INSERT INTO services VALUES (9, NULL, 'Feed', '', 'https://feed.example');
    INSERT INTO routes VALUES (1, 9, 'GET', '/x', '', '{"headers":{"Authorization":"Bearer hunter2"}}', 1, 0);
    INSERT INTO statement_history VALUES (1, '3', 'ALTER ROLE a PASSWORD ''hunter2''', 'failed', '', 1, 'near "hunter2"')`)
  const sealed = sealedBy100(join(dirname(file), 'secret.key'), 'postgresql://a:hunter2@db/a')
  database
    .prepare(
      "INSERT INTO connections (id, name, type, database_name, sealed_string, is_active, writable, time_limit_s, identity) VALUES (3, 'pg', 'postgresql', '', ?, 1, 1, 30, 'abc')",
    )
    .run(sealed)
  database.close()

  const store = await openAdminStore(file)
  const [connection] = await store.connections.list()
  expect(store.secrets.open(connection?.sealed_string ?? '', connectionOwner('abc'))).toContain('hunter2')
  expect((await store.routes.find(1))?.parameters).toBe('{"headers":{"Authorization":"Bearer hunter2"}}')
  expect(await store.statements.history('3')).toMatchObject([
    { query: "ALTER ROLE a PASSWORD '[masked]'", error_message: 'near [masked]' },
  ])
  expect((await store.apiConfigs.list())[0]?.endpoint).toBe('https://feed.example/?api_key=[masked]')
  await store.close()
  expect(readFileSync(file).includes('hunter2')).toBe(false)
})

/** As version 1.0.0 sealed a text, without an owner. */
function sealedBy100(keyFile: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', readFileSync(keyFile), nonce)
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1:${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64')}`
}
