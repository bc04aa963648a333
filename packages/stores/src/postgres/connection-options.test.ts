import { expect, test } from 'vitest'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { connectionOptions, unreachable } from './connection-options.ts'

const config = (url: string, name = '') => configOf({ url, name })

test('an address is read with its escapes, and the database name wins over the one in it', () => {
  const { address, user, database } = connectionOptions(
    config('postgres://ada%40desk:p%2Fw@db.example/old', 'desk'),
  )
  expect([address, user, database]).toEqual(['db.example:5432', 'ada@desk', 'desk'])
})

test.each(['p%0D%0AFLUSHALL', 'p%00', 'p\r\nFLUSHALL', 'p\tq', 'p%7F'])(
  '[STORE-25] the password %j is refused for its control characters',
  (password) => {
    expect(() => connectionOptions(config(`postgres://ada:${password}@db.example/x`))).toThrow(
      'Connection String must not contain control characters.',
    )
  },
)

test.each([
  ['postgres://ada@db.example/x', true],
  ['postgres://ada@db.example/x?sslmode=verify-full', false],
  ['postgres://ada@localhost/x', false],
  ['postgres://ada@[::1]/x', false],
  ['postgres://ada@127.0.0.1.evil.example/x', true],
])('whether %s can be overheard: %s', (url, isOpen) => {
  expect(connectionOptions(config(url)).isUnencrypted).toBe(isOpen)
})

test.each(['', 'db.example', 'mysql://a@b', 'postgres://db.example/desk', 'postgres://ada@/desk'])(
  "'%s' is refused with the form it must have",
  (url) => {
    expect(() => connectionOptions(config(url))).toThrow(
      'Connection String must look like postgresql://user:password@host:5432/database.',
    )
  },
)

test('[STORE-11] what is refused does not repeat a password', () => {
  for (const url of [
    'postgres://ada:hunter2@db.example/x?sslmode=maybe',
    'postgres://ada:hunter2%@db.example/x',
  ]) {
    expect(() => connectionOptions(config(url))).toThrow(/^(?!.*hunter2)/)
  }
})

test.each([
  [{ code: 'ECONNREFUSED' }, 'Connection refused: no server is listening at db.example:5432.'],
  [{ code: 'ENOTFOUND' }, 'Host not found: db.example:5432.'],
  [{ code: '28P01' }, 'Wrong password for ada at db.example:5432.'],
  [
    {
      code: '28000',
      message: 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "desk", no encryption',
    },
    'db.example:5432 requires TLS. Use sslmode=require or sslmode=verify-full.',
  ],
  [{ code: '3D000' }, 'There is no database desk at db.example:5432.'],
  [{ code: '53300' }, 'db.example:5432 has reached its connection limit. Try again later.'],
  [
    { code: '08P01', message: 'unsupported startup parameter: options' },
    'db.example:5432 is a connection pooler without support for session settings. Connect to the server directly.',
  ],
  [{ message: 'timeout expired' }, 'db.example:5432 did not answer within 5 s.'],
  [
    { message: 'The server does not support SSL connections' },
    'db.example:5432 does not support TLS. To connect without it, use sslmode=disable.',
  ],
  [
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
    'The certificate of db.example:5432 is not trusted.',
  ],
  [{ code: 'XX000', message: 'hunter2' }, 'The connection to PostgreSQL at db.example:5432 failed (XX000).'],
])('[STORE-11] %o is described in a sentence', (failure, sentence) => {
  const options = connectionOptions(config('postgres://ada:hunter2@db.example/desk'))
  expect(unreachable(failure, options).message).toBe(sentence)
})
