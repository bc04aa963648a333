import type { DatabaseSync } from 'node:sqlite'

/**
 * Runs work in a transaction that is rolled back when it throws. The statements are prepared: to compile them takes as
 * long as to append a journal entry.
 */
export function prepareTransaction(database: DatabaseSync): <Result>(work: () => Result) => Result {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  return (work) => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (fault) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw fault
    }
  }
}
