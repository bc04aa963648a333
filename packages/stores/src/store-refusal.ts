import type { ConnectionStep, FieldFault, ProblemCode } from '@binnacle/contract'

/** A refusal by a store or its driver. Thrown by drivers; withStoreRefusals turns it into a problem reply. */
export class StoreRefusal extends Error {
  readonly code: StoreRefusalCode
  readonly errors: FieldFault[] | undefined
  /** Where connecting to a server ended. */
  readonly step: ConnectionStep | undefined

  /** The detail is a complete sentence for the user and contains no secrets. */
  constructor(code: StoreRefusalCode, detail: string, errors?: FieldFault[], step?: ConnectionStep) {
    super(detail)
    this.code = code
    this.errors = errors
    this.step = step
  }
}

export type StoreRefusalCode = Extract<
  ProblemCode,
  `store.${string}` | `statement.${string}` | 'thing.unknown' | 'request.invalid'
>

export function unknownTable(table: string): StoreRefusal {
  const fault = { field: 'path.table', message: 'is not a table of this connection' }
  return new StoreRefusal('thing.unknown', `There is no table '${table}' here.`, [fault])
}

export function unknownColumn(field: 'sort' | 'filter_column', column: string): StoreRefusal {
  const fault = { field: `query.${field}`, message: 'is not a column of this table' }
  return new StoreRefusal('request.invalid', `There is no column '${column}' in this table.`, [fault])
}

/** The sentence must not repeat a password. */
export function badConnectionString(sentence: string): StoreRefusal {
  return new StoreRefusal('request.invalid', sentence, [
    { field: 'body.connection_string', message: sentence },
  ])
}

/** A line break in a password would become a command of its own on the wire, so none is accepted, encoded or not. */
export function refuseControlCharacters(connectionString: string, databaseName: string): void {
  if (CONTROL.test(connectionString.trim()))
    throw badConnectionString('Connection String must not contain control characters.')
  if (!CONTROL.test(databaseName.trim())) return
  const sentence = 'The database must not contain control characters.'
  throw new StoreRefusal('request.invalid', sentence, [{ field: 'body.database_name', message: sentence }])
}

const CONTROL = /\p{Cc}|%[01][\da-f]|%7f/iu

export function readOnlyConnection(cause = 'This statement changes data'): StoreRefusal {
  return new StoreRefusal('store.read-only', `${cause}, but this connection is read-only.`)
}

/** Runs a check of the connection string at use time: what was valid when added may be gone by now. */
export function asUnreachable<Value>(find: () => Value): Value {
  try {
    return find()
  } catch (thrown) {
    const isBadTarget = thrown instanceof StoreRefusal && thrown.code === 'request.invalid'
    throw isBadTarget ? new StoreRefusal('store.unreachable', thrown.message) : thrown
  }
}
