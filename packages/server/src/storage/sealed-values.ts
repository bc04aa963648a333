import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SEALED_TABLES } from '#storage/admin/sealed-columns.ts'
import { isEmptyStore } from './data-folder.ts'
import { isSealed, KEY_FILE } from './secret-box.ts'

/** Says what is sealed in a file of the admin store, such as 'connection strings (2)'; empty if nothing is. */
export function describeSealed(storeFile: string): string {
  if (isEmptyStore(storeFile)) return ''
  const database = new DatabaseSync(storeFile, { readOnly: true })
  try {
    return Object.entries(SEALED_TABLES)
      .map(([table, { name, columns }]) => ({ name, count: countSealed(database, table, columns) }))
      .flatMap(({ name, count }) => (count === 0 ? [] : `${name} (${count})`))
      .join(', ')
  } finally {
    database.close()
  }
}

/** Whether the key beside a store is missing although the store has values that only it opens. */
export function findLostKey(storeFile: string): { text: string; remedy: string } | undefined {
  const keyFile = join(dirname(storeFile), KEY_FILE)
  if (existsSync(keyFile)) return undefined
  const sealed = describeSealed(storeFile)
  if (sealed === '') return undefined
  return {
    text: `${keyFile} is missing, and ${storeFile} has values that only this key opens: ${sealed}`,
    remedy:
      "Put the file back from a copy or a backup with a passphrase; or run 'npm run new-key' to continue without these values, and enter them again.",
  }
}

/** A store of an earlier version lacks some tables and columns. */
function countSealed(database: DatabaseSync, table: string, columns: readonly string[]): number {
  const found = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const present = columns.filter((column) => found.some(({ name }) => name === column))
  const values = present.flatMap((column) =>
    database.prepare(`SELECT "${column}" AS value FROM "${table}"`).all(),
  )
  return values.filter(({ value }) => typeof value === 'string' && isSealed(value)).length
}
