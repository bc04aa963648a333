import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionConfig } from '#driver.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createPostgresDriver } from './driver.ts'

const ADVICE =
  "Connect with a role for reading: CREATE ROLE binnacle_reader LOGIN PASSWORD '...'; GRANT pg_read_all_data TO binnacle_reader; " +
  'Or accept the risk in the settings of the connection.'

describePostgres('the rights of a role', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal

  test('[STORE-27] a superuser is refused for every read, with the statements that create a role', async () => {
    const { database } = await store()
    const driver = opened({ ...configOf(database), connectionString: database.superUrl })
    const sentence = `The role postgres is a superuser: what others put into the database could reach files, other databases or sessions as soon as it is read. Reading is refused. ${ADVICE}`
    for (const read of [
      () => driver.run('SELECT * FROM planted', CAPS, never),
      () => driver.tables(never),
      () => driver.schema('public.planted', never),
      () => driver.page({ table: 'public.planted', limit: 1, offset: 0 }, never),
      () => driver.stream({ table: 'public.planted' }, never),
      () => driver.stream({ statement: 'SELECT 1' }, never),
      () => driver.explain('SELECT * FROM planted', never),
    ]) {
      const failure = await read().catch((reason) => reason)
      expect(failure).toMatchObject({ code: 'store.refused', message: sentence })
    }
  })

  test('[STORE-27] a test of the connection still answers, with a warning', async () => {
    const { database } = await store()
    const driver = opened({ ...configOf(database), connectionString: database.superUrl })
    expect((await driver.ping(never)).warnings).toEqual([
      `The role postgres is a superuser: what others put into the database could reach files, other databases or sessions as soon as it is read. ${ADVICE}`,
    ])
  })

  test('[STORE-27] with the risk accepted, or on a writable connection, it reads', async () => {
    const { database } = await store()
    for (const accepted of [{ acceptsPrivilegedRole: true }, { writable: true }]) {
      const driver = opened({ ...configOf(database), connectionString: database.superUrl, ...accepted })
      expect((await driver.run('SELECT 1 AS one', CAPS, never)).rows).toEqual([{ one: 1 }])
    }
  })

  test.each([
    ['ALTER ROLE ROLE REPLICATION', 'a replication role'],
    ['GRANT pg_read_server_files TO ROLE', 'a member of pg_read_server_files'],
    ['GRANT pg_write_server_files TO ROLE', 'a member of pg_write_server_files'],
    ['GRANT pg_execute_server_program TO ROLE', 'a member of pg_execute_server_program'],
    ['GRANT pg_signal_backend TO ROLE', 'a member of pg_signal_backend'],
    ['GRANT postgres TO ROLE', 'a member of the superuser postgres'],
  ])('[STORE-27] a role with equal rights is refused too: %s', async (grant, excess) => {
    const { database, client } = await store()
    const reader = await newReader(database, client, onTestFinished)
    await client.query(
      grant.replace('ROLE ROLE', `ROLE ${reader.role}`).replace('TO ROLE', `TO ${reader.role}`),
    )
    const driver = opened(reader.config)
    await expect(driver.run('SELECT 1', CAPS, never)).rejects.toThrow(
      `The role ${reader.role} is ${excess}: `,
    )
  })

  test('[STORE-27] the role that the two statements create reads', async () => {
    const { database, client } = await store()
    const { config } = await newReader(database, client, onTestFinished)
    const driver = opened(config)
    expect((await driver.run('SELECT one FROM planted', CAPS, never)).rows).toEqual([{ one: 1 }])
    expect((await driver.ping(never)).warnings).toEqual([])
  })
})

type Store = Awaited<ReturnType<typeof prepare>>

/** Created as the refusal advises. */
async function newReader(database: Store['database'], client: pg.Client, atEnd: AtEnd) {
  const role = `${database.name}_reader`
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'sesame'`)
  await client.query(`GRANT pg_read_all_data TO ${role}`)
  atEnd(async () => void (await client.query(`DROP ROLE ${role}`)))
  const url = new URL(database.url)
  url.username = role
  url.password = 'sesame'
  return { role, config: configOf({ url: url.href, name: database.name }) }
}

function opened(config: ConnectionConfig) {
  const driver = createPostgresDriver(config)
  onTestFinished(() => driver.close())
  return driver
}

async function prepare(atEnd: AtEnd) {
  const database = await freshDatabase(atEnd)
  const client = new pg.Client(database.superUrl)
  await client.connect()
  atEnd(() => client.end())
  await client.query('CREATE VIEW planted AS SELECT 1 AS one')
  return { database, client }
}
