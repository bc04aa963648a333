import type { Connection, Id } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryHistoryQueries, useLastQueryResult } from '#data/databases/queries.ts'
import { problemText } from '#data/failure.ts'
import { useTheme } from '#state/theme.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { TextAreaField } from '#ui/control/field.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { HistoryList, latestEntries } from './history-list.tsx'
import classes from './query-page.module.css'
import { QueryResultView } from './query-result.tsx'
import { useExecute } from './use-execute.tsx'
import { useSqlNames } from './use-sql-names.ts'

/** Lazy, because the editor is larger than the rest of the screen. */
const SqlEditor = lazyPart(async () => (await import('#ui/sql/sql-editor.tsx')).SqlEditor)

/** Only for backends that send capabilities of connections, which the specification does not define. */
const QueryTools = lazyPart(async () => (await import('./query-tools.tsx')).QueryTools)
const ReplaceDraftDialog = lazyPart(
  async () => (await import('./replace-draft-dialog.tsx')).ReplaceDraftDialog,
)

export interface QueryPageProps {
  connection: Connection
  draft: string
  onDraft: (draft: string) => void
}

export function QueryPage({ connection, draft, onDraft }: QueryPageProps) {
  const { execute, isRunning, cancel, dialog } = useExecute(connection, draft)
  const names = useSqlNames(connection, draft)
  const theme = useTheme()
  const pick = usePick({ connection, draft, onDraft })
  return (
    <div className={classes.page}>
      <LazyBoundary
        fallback={<Loading text={copy.loadingEditor} />}
        // Without the editor's code the typed SQL stays usable.
        failed={
          <TextAreaField
            label={copy.editor}
            labelHidden
            value={draft}
            onChange={onDraft}
            rows={6}
            spellCheck={false}
          />
        }
      >
        <SqlEditor
          label={copy.editor}
          value={draft}
          onChange={onDraft}
          onRun={execute}
          isDark={theme === 'dark'}
          names={names}
        />
      </LazyBoundary>
      <div className={classes.foot}>
        <Button kind="primary" busy={isRunning} onClick={() => execute()}>
          {copy.execute}
        </Button>
        {cancel && <Button onClick={cancel}>{copy.cancel}</Button>}
        <span>{isRunning ? copy.running : copy.leave}</span>
      </div>
      {connection.can && (
        <LazyBoundary>
          <QueryTools connection={connection} draft={draft} onDraft={onDraft} onPick={pick.run} />
        </LazyBoundary>
      )}
      <section aria-label={copy.result} aria-busy={isRunning} className={classes.section}>
        <h3>{copy.result}</h3>
        <QueryResultView result={useLastQueryResult(connection.id)} />
      </section>
      <section aria-label={copy.history} className={classes.section}>
        <h3>{copy.history}</h3>
        <History connectionId={connection.id} onPick={pick.run} />
      </section>
      {dialog}
      {pick.dialog}
    </div>
  )
}

const loadFailed = toastFailure(copy.historyFailed)

/** Puts a query of the history or a saved one into the editor. */
function usePick({ connection, draft, onDraft }: QueryPageProps) {
  const { data: history = [] } = useQuery(queryHistoryQueries.list(connection.id, { onFailure: loadFailed }))
  const [picked, setPicked] = useState<string>()
  /** The last text that was put into the editor from a list, and so can be picked again. */
  const [listed, setListed] = useState<string>()
  const close = () => setPicked(undefined)
  const replace = (query: string) => {
    setListed(query)
    close()
    onDraft(query)
  }
  const run = (query: string) => {
    const current = draft.trim()
    const isStored =
      current === '' ||
      [query, listed, ...history.map((entry) => entry.query)].some((text) => text?.trim() === current)
    // A backend without capabilities of connections implements the specification alone, where a click replaces the text.
    if (isStored || !connection.can) replace(query)
    else setPicked(query)
  }
  const dialog = connection.can && (
    <LazyBoundary resetKey={picked} onClose={picked === undefined ? undefined : close}>
      <ReplaceDraftDialog
        query={picked}
        onReplace={() => picked !== undefined && replace(picked)}
        onClose={close}
      />
    </LazyBoundary>
  )
  return { run, dialog }
}

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
