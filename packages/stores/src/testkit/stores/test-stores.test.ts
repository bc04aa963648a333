import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgres, describeRedis, freshDatabase, freshRedis } from './test-stores.ts'

describePostgres('a test database', () => {
  test('is a real PostgreSQL, owned by an ordinary user', async () => {
    const { url, name } = await freshDatabase(onTestFinished)
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT current_user AS name, current_setting('is_superuser') AS super`,
    )
    await client.end()
    expect(rows).toEqual([{ name, super: 'off' }])
  })
})

describeRedis('a test Redis', () => {
  test('is a real Redis, empty and without persistence', async () => {
    const { url } = await freshRedis(onTestFinished)
    const redis = new Redis(url)
    expect(await redis.dbsize()).toBe(0)
    expect(await redis.config('GET', 'save')).toEqual(['save', ''])
    redis.disconnect()
  })
})
