import type { QueryResult, Row } from '@binnacle/contract'
import { copy } from './copy.ts'

type Success = Extract<QueryResult, { success: true }>

/** The rows worth a table: none at all still make one when the columns are known. */
export function rowsOf({ rows, columns = [] }: Success): readonly Row[] | undefined {
  if (!rows) return undefined
  return rows.length > 0 || columns.length > 0 ? rows : undefined
}

/** What the database said, or else what can be said of a statement that gave no table. */
export function wordsOf(result: Success): string | undefined {
  const { message, rows_affected: affected } = result
  if (message) return message
  if (affected) return copy.affected(affected)
  return rowsOf(result) ? undefined : copy.noRows
}
