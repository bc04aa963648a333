import type { QueryResult, Row } from '@binnacle/contract'
import { RowsTable } from '#pages/admin/db-management/rows/rows-table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './query-page.module.css'

export interface QueryResultViewProps {
  result: QueryResult | undefined
}

export function QueryResultView({ result }: QueryResultViewProps) {
  if (result === undefined) return <p className={classes.message}>{copy.noResult}</p>
  if (!result.success)
    return (
      <Notice tone="bad" title={copy.rejected}>
        {result.error || result.message}
      </Notice>
    )
  const rows = rowsOf(result)
  const message = messageOf(result)
  return (
    <>
      {message !== undefined && <p className={classes.message}>{message}</p>}
      {rows && <RowsTable label={copy.result} rows={rows} columns={result.columns} />}
    </>
  )
}

type Success = Extract<QueryResult, { success: true }>

/** The rows to show as a table. An empty result is a table only if its columns are known. */
export function rowsOf({ rows, columns = [] }: Success): readonly Row[] | undefined {
  if (!rows) return undefined
  return rows.length > 0 || columns.length > 0 ? rows : undefined
}

/** The message of the database, else the number of affected rows, else "No rows". */
export function messageOf(result: Success): string | undefined {
  const { message, rows_affected: affected } = result
  if (message) return message
  if (affected) return copy.affected(affected)
  return rowsOf(result) ? undefined : copy.noRows
}
