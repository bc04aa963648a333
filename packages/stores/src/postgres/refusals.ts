import pg from 'pg'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'
import { type ConnectionOptions, unreachable } from './connection-options.ts'

/** Turns errors of the server and the socket into refusals. Other errors are faults and stay as they are. */
export function toRefusalIfPostgres(failure: unknown, options: ConnectionOptions): unknown {
  if (failure instanceof StoreRefusal) return failure
  if (failure instanceof pg.DatabaseError) return refusalByCode(failure, options)
  const isOfSocket =
    failure instanceof Error && ('code' in failure || /terminated|Connection/.test(failure.message))
  return isOfSocket ? unreachable(failure, options) : failure
}

function refusalByCode(failure: pg.DatabaseError, options: ConnectionOptions): StoreRefusal {
  const code = failure.code ?? ''
  if (code === '25006') return readOnlyConnection()
  if (code === '57014' && /statement timeout/.test(failure.message)) {
    return new StoreRefusal('statement.timeout', 'The statement hit the time limit and was cancelled.')
  }
  if (code.startsWith('08') || code === '57P01') return unreachable(failure, options)
  const hint = failure.hint === undefined ? '' : ` ${failure.hint}`
  const detail = failure.detail === undefined ? '' : ` ${failure.detail}`
  const position = failure.position === undefined ? '' : ` (at character ${failure.position})`
  return new StoreRefusal('store.refused', `${capitalize(failure.message)}${position}.${detail}${hint}`)
}

function capitalize(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
