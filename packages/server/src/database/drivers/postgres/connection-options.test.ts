import { expect, test } from 'vitest'
import { targetOf } from '#testkit/drivers/postgres-stage.ts'
import { connectionOptions, unreachable } from './connection-options.ts'

const target = (url: string, name = '') => targetOf({ url, name })

test('an address is read with its escapes, and the database name wins over the one in it', () => {
  const { address, user, database } = connectionOptions(
    target('postgres://ada%40desk:p%2Fw@db.example/old', 'desk'),
  )
  expect([address, user, database]).toEqual(['db.example:5432', 'ada@desk', 'desk'])
})

test.each([
  ['postgres://ada@db.example/x', true],
  ['postgres://ada@db.example/x?sslmode=verify-full', false],
  ['postgres://ada@localhost/x', false],
  ['postgres://ada@[::1]/x', false],
  ['postgres://ada@127.0.0.1.evil.example/x', true],
])('whether %s can be overheard: %s', (url, isOpen) => {
  expect(connectionOptions(target(url)).isOpen).toBe(isOpen)
})

test.each(['', 'db.example', 'mysql://a@b', 'postgres://db.example/desk', 'postgres://ada@/desk'])(
  "'%s' is refused with the form it must have",
  (url) => {
    expect(() => connectionOptions(target(url))).toThrow(
      'Connection String must look like postgresql://user:password@host:5432/database.',
    )
  },
)

test('[STORE-11] what is refused does not repeat a password', () => {
  for (const url of [
    'postgres://ada:hunter2@db.example/x?sslmode=maybe',
    'postgres://ada:hunter2%@db.example/x',
  ]) {
    expect(() => connectionOptions(target(url))).toThrow(/^(?!.*hunter2)/)
  }
})

test.each([
  [{ code: 'ECONNREFUSED' }, 'Nothing listens at db.example:5432: the connection was refused.'],
  [{ code: 'ENOTFOUND' }, 'There is no such name as db.example:5432.'],
  [{ code: '28P01' }, 'db.example:5432 does not accept the password of ada.'],
  [
    {
      code: '28000',
      message: 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "desk", no encryption',
    },
    'db.example:5432 asks for TLS; with it, use sslmode=require or sslmode=verify-full.',
  ],
  [{ code: '3D000' }, 'There is no database desk at db.example:5432.'],
  [{ code: '53300' }, 'db.example:5432 takes no more connections now. Try again later.'],
  [
    { code: '08P01', message: 'unsupported startup parameter: options' },
    'db.example:5432 is a pooler that takes no settings of a session; use the server itself.',
  ],
  [{ message: 'timeout expired' }, 'db.example:5432 did not answer within 5 s.'],
  [
    { message: 'The server does not support SSL connections' },
    'db.example:5432 does not speak TLS; without it, use sslmode=disable.',
  ],
  [
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
    'The certificate of db.example:5432 is not trusted.',
  ],
  [{ code: 'XX000', message: 'hunter2' }, 'PostgreSQL at db.example:5432 refused the connection (XX000).'],
])('[STORE-11] %o is told in a sentence', (failure, sentence) => {
  const options = connectionOptions(target('postgres://ada:hunter2@db.example/desk'))
  expect(unreachable(failure, options).message).toBe(sentence)
})
