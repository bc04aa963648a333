import { StoreRefusal } from '#database/drivers/store-refusal.ts'

/** What SQLite finds fault with is an answer to the person who asked; only what it does not say is our fault. */
export function asStoreSays<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (fault) {
    throw isSqliteFault(fault)
      ? new StoreRefusal(codeOf(fault), `${fault.message.replace(/\.$/, '')}.`)
      : fault
  }
}

interface SqliteFault extends Error {
  code: string
  errcode?: number
}

function isSqliteFault(fault: unknown): fault is SqliteFault {
  const isCoded = fault instanceof Error && 'code' in fault
  return isCoded && (fault.code === 'ERR_SQLITE_ERROR' || fault.code === 'ERR_INVALID_ARG_VALUE')
}

const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const PRIMARY_CODE = 0xff

function codeOf({ errcode = 0 }: SqliteFault): 'store.unreachable' | 'store.refused' {
  const primary = errcode & PRIMARY_CODE
  return primary === SQLITE_CANTOPEN || primary === SQLITE_NOTADB ? 'store.unreachable' : 'store.refused'
}
