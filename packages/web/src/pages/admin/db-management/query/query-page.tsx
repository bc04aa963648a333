import type { Connection, Id } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryHistoryQueries, useLastQueryResult } from '#data/databases/queries.ts'
import { problemText } from '#data/failure.ts'
import { useTheme } from '#state/theme.ts'
import { toastFailure } from '#state/toasts.ts'
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
import { useExecute } from './use-execute.tsx'
import { useSqlNames } from './use-sql-names.ts'

/** For a backend beyond the specification, whose connections tell what they can do. */
const QueryTools = lazy(async () => ({ default: (await import('./tools/query-tools.tsx')).QueryTools }))

export interface QueryPageProps {
  connection: Connection
  draft: string
  onDraft: (draft: string) => void
}

export function QueryPage({ connection, draft, onDraft }: QueryPageProps) {
  const { execute, isRunning, cancel, dialog } = useExecute(connection, draft)
  const names = useSqlNames(connection, draft)
  const theme = useTheme()
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
        {cancel && <Button onClick={cancel}>{copy.cancel}</Button>}
        <span>{isRunning ? copy.running : copy.leave}</span>
      </div>
      {connection.can && (
        <Suspense fallback={null}>
          <QueryTools connection={connection} draft={draft} onDraft={onDraft} />
        </Suspense>
      )}
      <section aria-label={copy.result} aria-busy={isRunning} className={classes.section}>
        <h3>{copy.result}</h3>
        <QueryResultView result={useLastQueryResult(connection.id)} />
      </section>
      <section aria-label={copy.history} className={classes.section}>
        <h3>{copy.history}</h3>
        <History connectionId={connection.id} onPick={onDraft} />
      </section>
      {dialog}
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
