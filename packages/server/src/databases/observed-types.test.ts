import { expect, test } from 'vitest'
import { createTypeObserver } from './observed-types.ts'

test.each([
  ['INTEGER', [1, 2, null], 'BIGINT'],
  ['INTEGER', [1, '9007199254740993'], 'BIGINT'],
  ['INTEGER', [1, 'one'], 'VARCHAR'],
  ['TEXT', ['1', '2'], 'VARCHAR'],
  ['REAL', [1, 2.5], 'DOUBLE'],
  ['REAL', [1, 'Infinity'], 'VARCHAR'],
  ['bool', [true, false], 'BOOLEAN'],
  ['DECIMAL(18,4)', ['1.5000', '-2.0000'], 'DECIMAL(18,4)'],
  ['DECIMAL(10, 2)', [1.5], 'DOUBLE'],
  ['timestamptz', ['2026-01-01T10:00:00Z'], 'TIMESTAMPTZ'],
  ['TIMESTAMP', ['2026-01-01T10:00:00.5'], 'TIMESTAMP'],
  ['date', ['2026-01-01'], 'DATE'],
  [null, [null, null], 'VARCHAR'],
  ['JSON', [{ a: 1 }], 'VARCHAR'],
])('a column declared %s with %j is exported as %s', (type, values, exported) => {
  const watch = createTypeObserver([{ name: 'a', type }])
  for (const value of values) watch.observe([value])
  expect(watch.types()).toEqual([{ name: 'a', type: exported }])
})
