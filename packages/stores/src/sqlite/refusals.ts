import { StoreRefusal } from '#store-refusal.ts'

/** Turns SQLite's errors into refusals. Other errors are faults. */
export function refuseSqliteErrors<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (fault) {
    throw toRefusalIfSqlite(fault)
  }
}

export function toRefusalIfSqlite(fault: unknown): unknown {
  return isSqliteError(fault)
    ? new StoreRefusal(codeOf(fault), `${fault.message.replace(/\.$/, '')}.`)
    : fault
}

interface SqliteError extends Error {
  code: string
  errcode?: number
}

function isSqliteError(fault: unknown): fault is SqliteError {
  const isCoded = fault instanceof Error && 'code' in fault
  return isCoded && (fault.code === 'ERR_SQLITE_ERROR' || fault.code === 'ERR_INVALID_ARG_VALUE')
}

const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const PRIMARY_CODE = 0xff

function codeOf({ errcode = 0 }: SqliteError): 'store.unreachable' | 'store.refused' {
  const primary = errcode & PRIMARY_CODE
  return primary === SQLITE_CANTOPEN || primary === SQLITE_NOTADB ? 'store.unreachable' : 'store.refused'
}
