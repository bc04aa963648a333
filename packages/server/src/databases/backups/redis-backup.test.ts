import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKeyFile, readKeyFile } from '@binnacle/stores'
import { describeRedis, freshRedis, temporaryFolder } from '@binnacle/stores/testkit'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'

const ACT = serverAuditContext('test')
const HOUR_MS = 3_600_000

describeRedis('Redis', () => {
  test('keys of every type and life come back, bytes and all', async () => {
    const { redis, subject } = await newServer()
    const binary = Buffer.from([0, 255, 10, 13, 128])
    await redis.set(binary, binary)
    await redis.set('short', 'life', 'PX', HOUR_MS)
    await redis.hset('hash', 'field', 'value')
    await redis.zadd('ranks', 1.5, 'a')
    await redis.xadd('stream', '*', 'k', 'v')
    const { backups } = await newBackups()
    const { id } = await backups.make(ACT, subject, quietControl())
    await redis.flushall()
    await redis.set('later', 'x')
    await backups.restore(ACT, subject, id, quietControl())
    expect(await redis.getBuffer(binary)).toEqual(binary)
    expect(await redis.hgetall('hash')).toEqual({ field: 'value' })
    expect(await redis.zscore('ranks', 'a')).toBe('1.5')
    expect(await redis.xlen('stream')).toBe(1)
    const left = await redis.pttl('short')
    expect(left > HOUR_MS / 2 && left <= HOUR_MS).toBe(true)
    expect(await redis.info('keyspace')).toMatch(/^# Keyspace\r\ndb0:keys=5,[^\r]*\r\n$/)
  })

  test('[BACKUP-25] a restore replaces only the database of the connection', async () => {
    const { redis, subject } = await newServer()
    await redis.mset('a', '1', 'b', '2')
    await redis.select(15)
    await redis.set('neighbour', 'old')
    const { backups } = await newBackups()
    const { id, bytes } = await backups.make(ACT, subject, quietControl())
    expect(bytes).toBeGreaterThan(0)
    await redis.set('neighbour', 'new')
    await redis.set('made-later', 'x')
    await redis.select(0)
    await redis.set('c', '3')
    await backups.restore(ACT, subject, id, quietControl())
    expect((await redis.keys('*')).toSorted()).toEqual(['a', 'b'])
    await redis.select(15)
    expect(await redis.mget('neighbour', 'made-later')).toEqual(['new', 'x'])
    expect(await redis.info('keyspace')).toMatch(
      /^# Keyspace\r\ndb0:keys=2,[^\r]*\r\ndb15:keys=2,[^\r]*\r\n$/,
    )
  })

  test('[BACKUP-25] the backup of an empty database empties it, and no other', async () => {
    const { redis, subject } = await newServer()
    const { backups } = await newBackups()
    const { id } = await backups.make(ACT, subject, quietControl())
    await redis.set('a', '1')
    await redis.select(1)
    await redis.set('neighbour', 'x')
    await backups.restore(ACT, subject, id, quietControl())
    expect(await redis.info('keyspace')).toMatch(/^# Keyspace\r\ndb1:keys=1,[^\r]*\r\n$/)
  })

  test('[BACKUP-25] a backup with the keys of another database is refused, and nothing is changed', async () => {
    const { redis, subject, url } = await newServer()
    await redis.set('a', '1')
    const { backups } = await newBackups()
    const { id } = await backups.make(ACT, subject, quietControl())
    await redis.select(3)
    await redis.set('stays', 'x')
    const third = subjectOf({ type: 'redis', url: `${url}/3` })
    await expect(backups.restore(ACT, third, id, quietControl())).rejects.toThrow(
      'The backup has the keys of db0, not of db3. Nothing was changed.',
    )
    expect(await redis.get('stays')).toBe('x')
  })

  test('a key that has expired meanwhile is not brought back', async () => {
    const { redis, subject } = await newServer()
    await redis.mset('stays', '1', 'goes', '2')
    await redis.pexpire('goes', 100)
    const { backups } = await newBackups()
    const { id } = await backups.make(ACT, subject, quietControl())
    await expect.poll(() => redis.exists('goes'), { timeout: 120_000 }).toBe(0)
    await backups.restore(ACT, subject, id, quietControl())
    expect(await redis.keys('*')).toEqual(['stays'])
  })

  test('a server without an empty database is left as it is', async () => {
    const { redis, subject } = await newServer('--databases', '1')
    await redis.set('k', 'old')
    const { backups } = await newBackups()
    const { id } = await backups.make(ACT, subject, quietControl())
    await redis.set('k', 'new')
    await expect(backups.restore(ACT, subject, id, quietControl())).rejects.toThrow(
      /^A restore needs an empty Redis database .+ Nothing was changed\.$/,
    )
    expect(await redis.get('k')).toBe('new')
  })
})

test('[STORE-11] a Redis that does not answer is named with the reason', async () => {
  const { backups } = await newBackups()
  const subject = subjectOf({ type: 'redis', url: 'redis://:sesame@127.0.0.1:1' })
  await expect(backups.make(ACT, subject, quietControl())).rejects.toThrow(
    /^Redis cannot be reached: no server is listening at 127\.0\.0\.1:1\.$/,
  )
})

test('[BACKUP-4] every bit of a file of keys is guarded by a checksum of its own', async () => {
  const file = join(temporaryFolder(), 'keys.bin')
  const writer = await createKeyFile(file)
  for (const name of ['a', 'b']) {
    await writer.write({ database: 3, key: Buffer.from(name), expiresAt: -1, value: Buffer.from('value') })
  }
  await writer.close()
  const whole = readFileSync(file)
  expect(await readAll(file)).toEqual(['3 a -1 value', '3 b -1 value'])
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    writeFileSync(file, flipped)
    await expect(readAll(file), `byte ${at}`).rejects.toThrow('The backup file is damaged')
    writeFileSync(file, whole.subarray(0, at))
    await expect(readAll(file), `cut at ${at}`).rejects.toThrow('The backup file is damaged')
  }
})

async function readAll(file: string): Promise<string[]> {
  const found: string[] = []
  for await (const { database, key, expiresAt, value } of readKeyFile(file)) {
    found.push(`${database} ${key} ${expiresAt} ${value}`)
  }
  return found
}

async function newServer(...settings: string[]) {
  const { url } = await freshRedis(onTestFinished, ...settings)
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  return { redis, url, subject: subjectOf({ type: 'redis', url }) }
}
