import { expect, test } from 'vitest'
import type { Act } from './act.ts'
import { canonicalJson } from './canonical-json.ts'
import { chainDeed, GENESIS, hashLine } from './chain.ts'

const ACT: Act = {
  actor: 'local',
  role: 'admin',
  address: '127.0.0.1',
  action: 'settings.update',
  requestId: 'r-1',
}
const AT = new Date('2026-03-01T10:00:00.000Z')

test('a line is chained to the head by a hash over both, in a form that never changes', () => {
  const deed = { entity: 'setting', target: 'cache_ttl', before: { value: '1' }, after: { value: '2' } }
  const line = chainDeed(GENESIS, ACT, deed, AT)
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

test('the next line is chained to this one', () => {
  const deed = { entity: 'setting', target: 'k', before: null, after: { value: '1' } }
  const first = chainDeed(GENESIS, ACT, deed, AT)
  const second = chainDeed(first, ACT, deed, AT)
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
])('another %s, %j, is another hash', (field, value) => {
  const deed = { entity: 'setting', target: 'k', before: null, after: { value: '1' } }
  const line = chainDeed(GENESIS, ACT, deed, AT)
  expect(hashLine({ ...line, [field]: value }, GENESIS.hash)).not.toBe(line.hash)
  expect(hashLine(line, GENESIS.hash)).toBe(line.hash)
})

test('text cannot be moved from one field to the next without another hash', () => {
  const line = chainDeed(GENESIS, ACT, { entity: 'a', target: 'bc', before: null, after: null }, AT)
  expect(hashLine({ ...line, entity: 'ab', target: 'c' }, GENESIS.hash)).not.toBe(line.hash)
})

test('equal content is equal text, whatever the order of its keys', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: undefined, A: null })).toBe('{"A":null,"b":[{"c":2,"d":1}]}')
  expect(canonicalJson(undefined)).toBe('null')
})
