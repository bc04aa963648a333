import { expect, test } from 'vitest'
import { formatSql } from './format-sql.ts'

test.each([
  ['select  a,b from t where x=1 and y in(1,2)', 'SELECT a, b\nFROM t\nWHERE x = 1\n  AND y IN (1, 2)'],
  [
    'select count(*) from a left join b on a.id=b.id order by 1 desc limit 5',
    'SELECT count(*)\nFROM a\nLEFT JOIN b ON a.id = b.id\nORDER BY 1 DESC\nLIMIT 5',
  ],
  ['update t set a=\'select  x\' where "from"=1', 'UPDATE t\nSET a = \'select  x\'\nWHERE "from" = 1'],
  ['select 1 -- why\n, 2', 'SELECT 1 -- why\n, 2'],
  ['with x as (select 1 from y) select * from x', 'WITH x AS (\n  SELECT 1\n  FROM y)\nSELECT *\nFROM x'],
])('%s', (sql, formatted) => {
  expect(formatSql(sql)).toBe(formatted)
  expect(formatSql(formatted)).toBe(formatted)
})

test('nothing but spaces and the case of keywords is changed', () => {
  const odd = `select "a""b", [c d], \`e\`, 'it''s', /* x; */ x'ff', $1, ?2, :n, 1e-5, a->>'b', c::int from "t;" -- end`
  const bare = (sql: string) => sql.replaceAll(/\s+/g, '').toLowerCase()
  expect(bare(formatSql(odd))).toBe(bare(odd))
})
