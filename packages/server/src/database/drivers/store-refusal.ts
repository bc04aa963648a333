import type { FieldFault, ProblemCode } from '@binnacle/contract'

/** A store says no, or a driver does in its name. Thrown by drivers, turned into a reply in one place. */
export class StoreRefusal extends Error {
  readonly code: StoreRefusalCode
  readonly errors: FieldFault[] | undefined

  /** The detail is a whole sentence for the person, without secrets; the field is named as a problem names it. */
  constructor(code: StoreRefusalCode, detail: string, errors?: FieldFault[]) {
    super(detail)
    this.code = code
    this.errors = errors
  }
}

export type StoreRefusalCode = Extract<
  ProblemCode,
  `store.${string}` | `statement.${string}` | 'thing.unknown' | 'request.invalid'
>

export function unknownTable(table: string): StoreRefusal {
  const fault = { field: 'path.table', message: 'names no table of this connection' }
  return new StoreRefusal('thing.unknown', `There is no table '${table}' here.`, [fault])
}

/** For a column of a sort or filter that the table has not. */
export function unknownColumn(field: 'sort' | 'filter_column', column: string): StoreRefusal {
  const fault = { field: `query.${field}`, message: 'names no column of this table' }
  return new StoreRefusal('request.invalid', `There is no column '${column}' in this table.`, [fault])
}

/** For a connection string that leads nowhere; the sentence must not repeat a password. */
export function badConnectionString(sentence: string): StoreRefusal {
  return new StoreRefusal('request.invalid', sentence, [
    { field: 'body.connection_string', message: sentence },
  ])
}

export function readOnlyConnection(sentence = 'It would change something'): StoreRefusal {
  return new StoreRefusal('store.read-only', `${sentence}, and this connection is read-only.`)
}

/** A place that was good when the connection was added may be gone when it is used. */
export function unreachableNow<Value>(find: () => Value): Value {
  try {
    return find()
  } catch (thrown) {
    const isBadPlace = thrown instanceof StoreRefusal && thrown.code === 'request.invalid'
    throw isBadPlace ? new StoreRefusal('store.unreachable', thrown.message) : thrown
  }
}
