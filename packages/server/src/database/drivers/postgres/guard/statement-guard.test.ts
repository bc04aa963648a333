import { expect, test } from 'vitest'
import { judgeStatement } from './statement-guard.ts'

test.each([
  ['DROP TABLE trades', 'trades'],
  ['DROP TABLE IF EXISTS desk.trades, "Odd Name" CASCADE', 'desk.trades, Odd Name'],
  ['DROP SCHEMA desk CASCADE', 'desk'],
  ['DROP VIEW totals', 'totals'],
  ['DROP FUNCTION desk.settle(int)', 'desk.settle'],
  ['DROP TYPE side', 'side'],
  ['TRUNCATE desk.trades, orders', 'desk.trades, orders'],
  ['DELETE FROM trades', 'trades'],
  ['DELETE FROM ONLY desk.trades AS t', 'desk.trades'],
  ['DELETE FROM trades WHERE true', 'trades'],
  ['DELETE FROM trades WHERE 1 = 1 OR random() > 0', 'trades'],
  ['UPDATE trades SET price = 0', 'trades'],
  ['WITH gone AS (DELETE FROM trades RETURNING *) INSERT INTO old SELECT * FROM gone', 'trades'],
  ['EXPLAIN ANALYZE DELETE FROM trades', 'trades'],
  ['ALTER TABLE trades DROP COLUMN price', 'trades'],
  ['MERGE INTO trades t USING fills f ON t.id = f.id WHEN MATCHED THEN DELETE', 'trades'],
])('%s asks for the name of what it takes away', async (statement, table) => {
  const { kind, confirm } = await judgeStatement(statement)
  expect([kind, confirm?.table]).toEqual(['write', table])
  expect(confirm?.sentence).toContain(table)
})

test.each([
  'DELETE FROM trades WHERE id = 1',
  'UPDATE trades SET price = 0 WHERE id IN (SELECT id FROM fills)',
  'INSERT INTO trades SELECT * FROM fills',
  'CREATE TABLE trades (id int)',
  'ALTER TABLE trades ADD COLUMN price numeric',
])('%s writes and needs no name', async (statement) => {
  expect(await judgeStatement(statement)).toMatchObject({ kind: 'write', confirm: undefined })
})

test('a syntax error is told with its place', async () => {
  await expect(judgeStatement('SELECT *\n  FORM trades')).rejects.toThrow(
    'This is no statement: syntax error at or near "FORM" (line 2, column 3).',
  )
})

test('a statement nested beyond measure is refused and harms nothing', async () => {
  await expect(judgeStatement(`SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)}`)).rejects.toThrow(/./)
  await expect(judgeStatement(`SELECT 1${'+1'.repeat(45_000)}`)).rejects.toThrow('It is nested too deeply.')
  expect(await judgeStatement('SELECT 1')).toMatchObject({ kind: 'read' })
})
