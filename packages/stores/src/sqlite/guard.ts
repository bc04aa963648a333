import { constants, type DatabaseSync } from 'node:sqlite'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'

/** An action that SQLite's authorizer reported while it compiled a statement. */
export interface SqliteAction {
  action: number
  first: string | null
  second: string | null
}

/** Checks every statement with SQLite's authorizer. */
export interface SqliteGuard {
  /** Runs work under the guard. Returns the reported actions; throws the refusal of a forbidden one. */
  watch<Value>(work: () => Value): { value: Value; actions: SqliteAction[] }
  /** Runs our own statements without the guard. */
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
  let actions: SqliteAction[] = []
  let refusal: StoreRefusal | undefined
  let isTrusted = false

  database.setAuthorizer((action, first, second) => {
    if (isTrusted) return constants.SQLITE_OK
    if (action === constants.SQLITE_READ && hidden.has(`${first}.${second}`.toLowerCase())) {
      return constants.SQLITE_IGNORE
    }
    const taken = { action, first, second }
    const isFine = allowed.has(action) && !isForbidden(taken)
    if (isFine) actions.push(taken)
    else refusal ??= refusalForAction(taken)
    return isFine ? constants.SQLITE_OK : constants.SQLITE_DENY
  })

  return {
    watch(work) {
      actions = []
      refusal = undefined
      try {
        return { value: work(), actions }
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

/** Without ATTACH, extensions and transactions. */
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

/** Pragmas that only read. In the second set the argument names what to read. */
const READING_PRAGMAS = new Set([
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
const READING_PRAGMAS_WITH_ARGUMENT = new Set([
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

/** Functions of some SQLite builds that access files or extensions. */
const EXTERNAL_FUNCTIONS = new Set(['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer'])

function isForbidden({ action, first, second }: SqliteAction): boolean {
  if (action === constants.SQLITE_FUNCTION) return EXTERNAL_FUNCTIONS.has(String(second).toLowerCase())
  if (action !== constants.SQLITE_PRAGMA) return false
  const pragma = String(first).toLowerCase()
  return !(READING_PRAGMAS_WITH_ARGUMENT.has(pragma) || (second === null && READING_PRAGMAS.has(pragma)))
}

function refusalForAction(taken: SqliteAction): StoreRefusal {
  const { action, first } = taken
  if (WRITES.has(action)) return readOnlyConnection()
  const sentences = new Map<number, string>([
    [constants.SQLITE_ATTACH, 'ATTACH and VACUUM are not supported here: a statement cannot use other files'],
    [
      constants.SQLITE_TRANSACTION,
      'BEGIN, COMMIT, ROLLBACK and SAVEPOINT are not supported here: each statement is its own transaction',
    ],
    [
      constants.SQLITE_SAVEPOINT,
      'BEGIN, COMMIT, ROLLBACK and SAVEPOINT are not supported here: each statement is its own transaction',
    ],
    [constants.SQLITE_PRAGMA, `PRAGMA ${first} is not supported here: only pragmas that read are`],
    [constants.SQLITE_FUNCTION, 'Functions that use files or extensions are not supported here'],
  ])
  return new StoreRefusal(
    'store.refused',
    `${sentences.get(action) ?? 'This statement is not supported here'}.`,
  )
}
