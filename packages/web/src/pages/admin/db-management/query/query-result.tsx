import type { QueryResult } from '@binnacle/contract'
import { RowsTable } from '#pages/admin/db-management/rows/rows-table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './query-result.module.css'
import { rowsOf, wordsOf } from './result-view.ts'

export interface QueryResultViewProps {
  result: QueryResult | undefined
}

export function QueryResultView({ result }: QueryResultViewProps) {
  if (result === undefined) return <p className={classes.words}>{copy.noResult}</p>
  if (!result.success)
    return (
      <Notice tone="bad" title={copy.refused}>
        {result.error || result.message}
      </Notice>
    )
  const rows = rowsOf(result)
  const words = wordsOf(result)
  return (
    <>
      {words !== undefined && <p className={classes.words}>{words}</p>}
      {rows && <RowsTable label={copy.result} rows={rows} columns={result.columns} />}
    </>
  )
}
