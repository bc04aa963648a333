import { constants, type DatabaseSync } from 'node:sqlite'
import { readOnlyConnection, StoreRefusal } from '#database/drivers/store-refusal.ts'

/** What SQLite asked leave for while it compiled a statement. */
export interface Deed {
  action: number
  first: string | null
  second: string | null
}

/** Holds every statement to what its connection may do, by SQLite's own word on what it is about to do. */
export interface SqliteGuard {
  /** Compiles or steps under the guard; what was asked for is in the result, what was refused is thrown. */
  watch<Value>(work: () => Value): { value: Value; deeds: Deed[] }
  /** Our own statements: the transaction around a write, the catalogue. */
  trust<Value>(work: () => Value): Value
}

interface GuardOptions {
  writable: boolean
  hiddenColumns: readonly string[]
}

export function createSqliteGuard(
  database: DatabaseSync,
  { writable, hiddenColumns }: GuardOptions,
): SqliteGuard {
  const hidden = new Set(hiddenColumns.map((name) => name.toLowerCase()))
  const allowed = writable ? new Set([...READS, ...WRITES]) : READS
  let deeds: Deed[] = []
  let refusal: StoreRefusal | undefined
  let isTrusted = false

  database.setAuthorizer((action, first, second) => {
    if (isTrusted) return constants.SQLITE_OK
    if (action === constants.SQLITE_READ && hidden.has(`${first}.${second}`.toLowerCase())) {
      return constants.SQLITE_IGNORE
    }
    const deed = { action, first, second }
    const isFine = allowed.has(action) && !isDangerous(deed)
    if (isFine) deeds.push(deed)
    else refusal ??= refusalOf(deed)
    return isFine ? constants.SQLITE_OK : constants.SQLITE_DENY
  })

  return {
    watch(work) {
      deeds = []
      refusal = undefined
      try {
        return { value: work(), deeds }
      } catch (fault) {
        throw refusal ?? fault
      }
    },
    trust(work) {
      isTrusted = true
      try {
        return work()
      } finally {
        isTrusted = false
      }
    },
  }
}

const READS: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_PRAGMA,
])

/** Not among them: other files, extensions, and transactions, which are ours. */
export const WRITES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_REINDEX,
  constants.SQLITE_ANALYZE,
])

/** Pragmas that only tell something; with a value only those whose value is what they tell it about. */
const TELLING = new Set([
  'application_id',
  'collation_list',
  'compile_options',
  'encoding',
  'freelist_count',
  'page_count',
  'page_size',
  'schema_version',
  'table_list',
  'user_version',
])
const TELLING_ABOUT = new Set([
  'foreign_key_check',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
])

/** Functions that reach out of the database, should a build of SQLite have them. */
const REACHING = new Set(['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer'])

function isDangerous({ action, first, second }: Deed): boolean {
  if (action === constants.SQLITE_FUNCTION) return REACHING.has(String(second).toLowerCase())
  if (action !== constants.SQLITE_PRAGMA) return false
  const pragma = String(first).toLowerCase()
  return !(TELLING_ABOUT.has(pragma) || (second === null && TELLING.has(pragma)))
}

function refusalOf(deed: Deed): StoreRefusal {
  const { action, first } = deed
  if (WRITES.has(action)) return readOnlyConnection()
  const sentences = new Map<number, string>([
    [constants.SQLITE_ATTACH, 'A statement cannot reach other files (ATTACH, VACUUM)'],
    [
      constants.SQLITE_TRANSACTION,
      'Every statement has a transaction of its own, so it cannot begin or end one',
    ],
    [
      constants.SQLITE_SAVEPOINT,
      'Every statement has a transaction of its own, so it cannot begin or end one',
    ],
    [constants.SQLITE_PRAGMA, `PRAGMA ${first} is not among those that only tell something`],
    [constants.SQLITE_FUNCTION, 'A function that reaches out of the database cannot be called'],
  ])
  return new StoreRefusal('store.refused', `${sentences.get(action) ?? 'This cannot be done here'}.`)
}
