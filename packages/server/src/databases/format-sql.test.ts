import { tokensOf } from '@binnacle/stores'
import { postgresTokens } from '@binnacle/stores/testkit'
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
  for (const dialect of ['sqlite', 'postgresql'] as const) {
    expect(formatSql(sql, dialect)).toBe(formatted)
    expect(formatSql(formatted, dialect)).toBe(formatted)
  }
})

test.each([
  [String.raw`select E'it\'s --' as a, 1 -- select`, String.raw`SELECT E'it\'s --' AS a, 1 -- select`],
  ["do $$ begin  select 'from'; end $$", "do $$ begin  select 'from'; end $$"],
  ['select $a$ $$  select where $$ $a$,2', 'SELECT $a$ $$  select where $$ $a$, 2'],
  ['select 1 /* a /* from  b */ where */ ,2', 'SELECT 1 /* a /* from  b */ where */, 2'],
  ["select a@>b, c #>>'{x}', x'ff', e->>'f' from t", "SELECT a @> b, c #>> '{x}', x'ff', e ->> 'f'\nFROM t"],
  ["select 'one'\n'two'", "SELECT 'one'\n'two'"],
  [
    String.raw`select U&'\0041', U&"\0041", a[1:2], .5, 1e+5, 1 - -1`,
    String.raw`SELECT U&'\0041', U&"\0041", a[1:2], .5, 1e+5, 1 - - 1`,
  ],
])('[STORE-31] keeps the literals and operators of PostgreSQL: %s', async (sql, formatted) => {
  expect(formatSql(sql, 'postgresql')).toBe(formatted)
  expect(await postgresTokens(formatted)).toEqual(await postgresTokens(sql))
})

test('[STORE-31] nothing but spaces and the case of keywords is changed', () => {
  const odd = `select "a""b", [c d], \`e\`, 'it''s', /* x; */ x'ff', $1, ?2, :n, 1e-5, a->>'b', a<<2, b==c from "t;" -- end`
  const bare = (sql: string) =>
    tokensOf(sql).flatMap(({ kind, text }) => (kind === 'space' ? [] : text.toLowerCase()))
  expect(bare(formatSql(odd, 'sqlite'))).toEqual(bare(odd))
})

test.each(['select 1 . 5', 'select a . . b'])(
  '[STORE-31] refuses what it cannot format without changing it: %s',
  (sql) => {
    expect(() => formatSql(sql, 'postgresql')).toThrow(
      'This SQL cannot be formatted without changing it, so it was left as it is.',
    )
  },
)
