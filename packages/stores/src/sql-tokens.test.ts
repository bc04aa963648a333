import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { describeDestruction } from './destructive.ts'
import { outerWords, tokensOf } from './sql-tokens.ts'

test('the tokens together are the statement again, whatever it is', () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    '`',
    '[',
    ']',
    '--',
    '/*',
    '*/',
    '\n',
    '(',
    ')',
    ';',
    'WHERE',
    'é',
    '🧭',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
      const sql = pieces.join('')
      expect(
        tokensOf(sql)
          .map(({ text }) => text)
          .join(''),
      ).toBe(sql)
    }),
    generated('cases'),
  )
})

test('words in texts, names, comments and parentheses are not the statement’s own', () => {
  const sql = `DELETE FROM t -- WHERE\n /* WHERE */ RETURNING 'WHERE', "where", [where], (SELECT 1 WHERE 1)`
  expect(outerWords(sql)).toEqual(['DELETE', 'FROM', 'T', 'RETURNING'])
})

test.each([
  ['DELETE FROM t', "This deletes every row of 't'."],
  ['delete from t where 1', undefined],
  ['WITH x AS (SELECT 1 WHERE 1) DELETE FROM t', "This deletes every row of 't'."],
  ["UPDATE t SET a = 'WHERE'", "This changes every row of 't'."],
  ['WITH replace AS (SELECT 1) DELETE FROM t', "This deletes every row of 't'."],
  ['WITH replace (a) AS (SELECT 1) UPDATE t SET a = 1', "This changes every row of 't'."],
  ['TRUNCATE t', "This empties 't'."],
  ['DROP INDEX i', "This drops 't' or a part of it."],
  ['ALTER TABLE t ADD COLUMN a', undefined],
  ['INSERT INTO t SELECT * FROM u', undefined],
  ['SELECT * FROM t', undefined],
])('[STORE-4] %s', (sql, harm) => {
  expect(describeDestruction(sql, 't')).toBe(harm)
})
