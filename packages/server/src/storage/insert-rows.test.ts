import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { prepareInsert } from './insert-rows.ts'

test.each([0, 1, 3, 4, 31, 32, 33, 71, 200])('of %d rows each is inserted once and in order', (count) => {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT')
  const insert = prepareInsert(database, 'INSERT INTO t (name)', 1)
  const names = Array.from({ length: count }, (_, index) => `row ${index}`)
  insert(names)
  expect(database.prepare('SELECT name FROM t ORDER BY id').all()).toEqual(names.map((name) => ({ name })))
})
