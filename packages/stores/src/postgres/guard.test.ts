import { expect, test } from 'vitest'
import { classifyStatement } from './guard.ts'

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
  const { kind, confirm } = await classifyStatement(statement)
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
  expect(await classifyStatement(statement)).toMatchObject({ kind: 'write', confirm: undefined })
})

test('a syntax error names its line and column', async () => {
  await expect(classifyStatement('SELECT *\n  FORM trades')).rejects.toThrow(
    'Syntax error near "FORM", line 2, column 3.',
  )
})

test('a statement nested beyond measure is refused and harms nothing', async () => {
  await expect(classifyStatement(`SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)}`)).rejects.toThrow(/./)
  await expect(classifyStatement(`SELECT 1${'+1'.repeat(45_000)}`)).rejects.toThrow(
    'The statement is nested too deeply.',
  )
  expect(await classifyStatement('SELECT 1')).toMatchObject({ kind: 'read' })
})

test.each([
  ['ANALYZE trades', 'ANALYZE is not supported here: use Optimize under Maintenance.'],
  ['VACUUM trades', 'VACUUM is not supported here: use Optimize under Maintenance.'],
  ['DO $$ BEGIN END $$', 'DO is not supported here: its effects cannot be checked before it runs.'],
  [
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    'CREATE FUNCTION is not supported here: its effects cannot be checked before it runs.',
  ],
  [
    "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    'CREATE FUNCTION is not supported here: its effects cannot be checked before it runs.',
  ],
  [
    'CREATE OR REPLACE TRIGGER t AFTER INSERT ON trades EXECUTE FUNCTION f()',
    'CREATE TRIGGER is not supported here: its effects cannot be checked before it runs.',
  ],
])('[STORE-23] %s is refused by its own name with the reason', async (statement, sentence) => {
  await expect(classifyStatement(statement)).rejects.toThrow(sentence)
})
