import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { redisConfig } from '#testkit/drivers/redis-fixture.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { withRedis } from './client.ts'
import { parseRedisAddress } from './connection-options.ts'
import { createRedisDriver } from './driver.ts'

const never = new AbortController().signal

test('an address is read with its escapes, and the database name wins over the one in it', () => {
  const { address, database, options } = parseRedisAddress({
    ...redisConfig('rediss://ada%40desk:p%2Fw@cache.example/7'),
    databaseName: 'db3',
  })
  expect([address, database, options.username, options.password]).toEqual([
    'cache.example:6379',
    3,
    'ada@desk',
    'p/w',
  ])
})

test.each(['p%0D%0AFLUSHALL', 'p%00', 'p\r\nFLUSHALL', 'p\tq', 'p%7F'])(
  '[STORE-25] the password %j is refused for its control characters',
  (password) => {
    expect(() => parseRedisAddress(redisConfig(`redis://ada:${password}@cache.example/0`))).toThrow(
      'Connection String must not contain control characters.',
    )
  },
)

test.each(['', 'cache.example:6379', 'http://cache.example'])(
  "'%s' is refused with the form it must have",
  (url) => {
    expect(() => parseRedisAddress(redisConfig(url))).toThrow(
      'Connection String must look like redis://user:password@host:6379',
    )
  },
)

test.each(['?path=/run/other.sock', '?host=other.example', '?db=3', '#x'])(
  '[STORE-302] %s after an address is refused, since the client would take it as an option',
  (more) => {
    expect(() => parseRedisAddress(redisConfig(`redis://cache.example:6379/0${more}`))).toThrow(
      'parameters after a ? or # are not supported',
    )
  },
)

test('[STORE-302] a backup does not follow a socket path in the address', async () => {
  let connections = 0
  const socket = join(temporaryFolder(), 'redis.sock')
  const other = createServer().listen(socket)
  other.on('connection', () => {
    connections += 1
  })
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const asked = withRedis(`redis://127.0.0.1:1/0?path=${socket}`, (redis) => redis.ping())
  await expect(asked).rejects.toThrow('parameters after a ? or # are not supported')
  expect(connections).toBe(0)
})

test('[STORE-11] what is refused does not repeat a password', () => {
  expect(() => parseRedisAddress(redisConfig('redis://ada:hunter2%@cache.example'))).toThrow(/^(?!.*hunter2)/)
})

test('[STORE-11] a server that is not Redis is refused as such', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = other.address() as AddressInfo
  const driver = createRedisDriver(redisConfig(`redis://127.0.0.1:${port}`))
  await expect(driver.ping(never)).rejects.toThrow(`The server at 127.0.0.1:${port} is not a Redis server.`)
})

describeRedis('a Redis with a password', () => {
  const server = sharedFixture((atEnd) => freshRedis(atEnd, '--requirepass', 'hunter2'))

  test.each([
    ['redis://', '', 'requires a password.'],
    ['redis://:hunter3@', '', 'Wrong user or password at'],
    ['redis://ada:hunter2@', '', 'Wrong user or password at'],
    ['redis://:hunter2@', '/77', 'There is no such database at'],
    [
      'rediss://:hunter2@',
      '',
      'does not support TLS. To connect without it, begin the address with redis://.',
    ],
  ])('[STORE-11] %s…%s is refused: %s', async (before, after, sentence) => {
    const { port } = await server()
    const config = { ...redisConfig(`${before}127.0.0.1:${port}${after}`), databaseName: '' }
    const failure = await createRedisDriver(config)
      .ping(never)
      .catch((reason) => reason)
    expect([failure.code, failure.message]).toEqual(['store.unreachable', expect.stringContaining(sentence)])
    expect(failure.message).not.toMatch(/hunter/)
  })

  test('lets in who knows it', async () => {
    const { port } = await server()
    const driver = createRedisDriver(redisConfig(`redis://:hunter2@127.0.0.1:${port}`))
    expect((await driver.ping(never)).version).toMatch(/^Redis \d/)
  })
})
