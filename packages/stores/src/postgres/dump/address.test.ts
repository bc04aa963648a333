import { expect, test } from 'vitest'
import { readAddress } from './address.ts'
import { environmentOf } from './tools.ts'

test('an address is read with its escapes, and nothing is made up for what it leaves out', () => {
  expect(readAddress('postgresql://ada%40desk:p%2Fw@[::1]/my%20desk?password=other')).toEqual({
    host: '::1',
    port: 5432,
    user: 'ada@desk',
    password: 'p/w',
    database: 'my desk',
    tls: 'disable',
  })
  expect(readAddress('postgres://ada@db.example:6432?host=/run/pg')).toMatchObject({
    host: '/run/pg',
    port: 6432,
    password: '',
    database: 'ada',
  })
})

test.each([
  ['', { PGSSLMODE: 'disable' }],
  ['?sslmode=require', { PGSSLMODE: 'require' }],
  ['?sslmode=verify-ca', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' }],
  ['?sslmode=verify-full', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' }],
])("PostgreSQL's programs use TLS as our client does: '%s'", (search, expected) => {
  expect(environmentOf(`postgresql://ada@db.example/desk${search}`)).toMatchObject(expected)
})

test('an sslmode that could fall back to plain text is refused, as a connection refuses it', () => {
  expect(() => readAddress('postgresql://ada@db.example/desk?sslmode=prefer')).toThrow(
    "PostgreSQL's sslmode must be disable, require, verify-ca or verify-full.",
  )
})
