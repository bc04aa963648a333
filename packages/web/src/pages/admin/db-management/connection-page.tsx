import type { Connection } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { QueryPage } from '#pages/admin/db-management/query/query-page.tsx'
import { TablesPage } from '#pages/admin/db-management/tables/tables-page.tsx'
import { useSqlDraft } from '#state/sql-drafts.ts'
import { Card } from '#ui/frame/card.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'
import { type DbSelection, TAB_NAMES, type TabName } from './selection.ts'

export interface ConnectionPageProps {
  connection: Connection
  selection: DbSelection
  onNavigate: (selection: DbSelection) => void
}

const tabs = TAB_NAMES.map((name) => ({ name, label: copy.tabs[name] }))

/** Lazy, because the dialog code is larger than the rest of the screen. */
const BackupsPage = lazyPart(
  async () => (await import('#pages/admin/db-management/backups/backups-page.tsx')).BackupsPage,
)
const ConnectionActions = lazyPart(
  async () =>
    (await import('#pages/admin/db-management/connections/connection-actions.tsx')).ConnectionActions,
)

/** The right column, mounted for one connection. */
export function ConnectionPage({ connection, selection, onNavigate }: ConnectionPageProps) {
  const [draft, setDraft] = useSqlDraft(String(connection.id))
  const panels: Record<TabName, () => ReactNode> = {
    tables: () => <TablesPage connection={connection} selection={selection} onNavigate={onNavigate} />,
    query: () => <QueryPage connection={connection} draft={draft} onDraft={setDraft} />,
    backups: () => (
      <LazyBoundary fallback={<Loading bare text={copy.loadingBackups} />}>
        <BackupsPage connection={connection} />
      </LazyBoundary>
    ),
  }
  return (
    <Card title={connection.name} actions={actionsFor(connection)}>
      <Tabs
        label={copy.sections}
        tabs={tabs}
        active={selection.tab}
        onChange={(tab) => onNavigate({ ...selection, tab })}
      >
        {panels[selection.tab]()}
      </Tabs>
    </Card>
  )
}

/** Only a backend that sends abilities can change connections, and never a built-in one. */
function actionsFor(connection: Connection): ReactNode {
  if (connection.can === undefined || connection.is_builtin === 1) return undefined
  return (
    <LazyBoundary>
      <ConnectionActions connection={connection} />
    </LazyBoundary>
  )
}
