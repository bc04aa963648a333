import type { Connection, Id, QueryResult } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import {
  queryHistoryQueries,
  useIsQueryRunning,
  useLastQueryResult,
  useRunQuery,
} from '#data/databases/queries.ts'
import { problemText } from '#data/failure.ts'
import { useTheme } from '#state/theme.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { HistoryList } from './history-list.tsx'
import { latestEntries } from './latest-entries.ts'
import { LazySqlEditor } from './lazy-sql-editor.tsx'
import classes from './query-page.module.css'
import { QueryResultView } from './query-result.tsx'
import { useSqlNames } from './use-sql-names.ts'

export interface QueryPageProps {
  connection: Connection
  draft: string
  onDraft: (draft: string) => void
}

export function QueryPage({ connection, draft, onDraft }: QueryPageProps) {
  const run = useRunQuery({
    onFailure: toastFailure(copy.executeFailed),
    onDone: (_, result) => announce(result),
  })
  const isRunning = useIsQueryRunning(connection.id)
  const names = useSqlNames(connection, draft)
  const theme = useTheme()
  const execute = () => {
    if (draft.trim() !== '') run({ connectionId: connection.id, query: draft })
  }
  return (
    <div className={classes.page}>
      <Suspense fallback={<Loading text={copy.loadingEditor} />}>
        <LazySqlEditor
          label={copy.editor}
          value={draft}
          onChange={onDraft}
          onRun={execute}
          isDark={theme === 'dark'}
          names={names}
        />
      </Suspense>
      <div className={classes.foot}>
        <Button kind="primary" busy={isRunning} onClick={execute}>
          {copy.execute}
        </Button>
        <span>{copy.leave}</span>
      </div>
      <section aria-label={copy.result} className={classes.section}>
        <h3>{copy.result}</h3>
        <QueryResultView result={useLastQueryResult(connection.id)} />
      </section>
      <section aria-label={copy.history} className={classes.section}>
        <h3>{copy.history}</h3>
        <History connectionId={connection.id} onPick={onDraft} />
      </section>
    </div>
  )
}

const loadFailed = toastFailure(copy.historyFailed)

interface HistoryProps {
  connectionId: Id
  onPick: (query: string) => void
}

function History({ connectionId, onPick }: HistoryProps) {
  const {
    data: history,
    error,
    isPending,
  } = useQuery(queryHistoryQueries.list(connectionId, { onFailure: loadFailed }))
  if (isPending) return <Loading bare text={copy.loadingHistory} />
  if (history?.length === 0) return <EmptyState title={copy.noHistory} />
  if (!history)
    return (
      <Notice tone="bad" title={copy.historyLost}>
        {problemText(error)}
      </Notice>
    )
  return <HistoryList entries={latestEntries(history)} onPick={onPick} />
}

function announce(result: QueryResult): void {
  if (result.success) toast('success', copy.executed(result.execution_time))
  else toast('error', copy.failed(result.error || result.message))
}
