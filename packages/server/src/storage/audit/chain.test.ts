import { expect, test } from 'vitest'
import type { AuditContext } from './audit-context.ts'
import { canonicalJson, GENESIS, hashRecord, nextRecord } from './chain.ts'

const ACT: AuditContext = {
  actor: 'local',
  role: 'admin',
  address: '127.0.0.1',
  action: 'settings.update',
  requestId: 'r-1',
}
const AT = new Date('2026-03-01T10:00:00.000Z')

test('a record is chained to the head by a hash in a fixed format', () => {
  const change = { entity: 'setting', target: 'cache_ttl', before: { value: '1' }, after: { value: '2' } }
  const line = nextRecord(GENESIS, ACT, change, AT)
  expect(line).toEqual({
    seq: 1,
    at: '2026-03-01T10:00:00.000Z',
    actor: 'local',
    role: 'admin',
    address: '127.0.0.1',
    action: 'settings.update',
    entity: 'setting',
    target: 'cache_ttl',
    before: '{"value":"1"}',
    after: '{"value":"2"}',
    request_id: 'r-1',
    prev_hash: '0000000000000000000000000000000000000000000000000000000000000000',
    hash: '981a05746136db94fe341416277e6d8fcb3279c999a8e03cdcc52df24b170c03',
  })
})

test('the next record is chained to this one', () => {
  const change = { entity: 'setting', target: 'k', before: null, after: { value: '1' } }
  const first = nextRecord(GENESIS, ACT, change, AT)
  const second = nextRecord(first, ACT, change, AT)
  expect(second).toMatchObject({ seq: 2, prev_hash: first.hash })
  expect(second.hash).not.toBe(first.hash)
})

test.each([
  ['seq', 2],
  ['at', '2026-03-01T10:00:00.001Z'],
  ['actor', 'ada'],
  ['role', 'viewer'],
  ['address', '::1'],
  ['address', null],
  ['action', 'settings.remove'],
  ['entity', 'user'],
  ['target', 'k2'],
  ['before', 'null'],
  ['after', null],
  ['request_id', null],
])('another %s, %j, changes the hash', (field, value) => {
  const change = { entity: 'setting', target: 'k', before: null, after: { value: '1' } }
  const line = nextRecord(GENESIS, ACT, change, AT)
  expect(hashRecord({ ...line, [field]: value }, GENESIS.hash)).not.toBe(line.hash)
  expect(hashRecord(line, GENESIS.hash)).toBe(line.hash)
})

test('moving text from one field to the next changes the hash', () => {
  const line = nextRecord(GENESIS, ACT, { entity: 'a', target: 'bc', before: null, after: null }, AT)
  expect(hashRecord({ ...line, entity: 'ab', target: 'c' }, GENESIS.hash)).not.toBe(line.hash)
})

test('equal content gives equal text in any order of keys', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: undefined, A: null })).toBe('{"A":null,"b":[{"c":2,"d":1}]}')
  expect(canonicalJson(undefined)).toBe('null')
})
