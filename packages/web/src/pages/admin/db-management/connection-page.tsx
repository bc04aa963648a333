import type { Connection } from '@binnacle/contract'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Card } from '#ui/frame/card.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'
import { type Place, TAB_NAMES, type TabName } from './place.ts'
import { QueryPage } from './query/query-page.tsx'
import { TablesPage } from './tables/tables-page.tsx'

export interface ConnectionPageProps {
  connection: Connection
  place: Place
  onGo: (place: Place) => void
}

const tabs = TAB_NAMES.map((name) => ({ name, label: copy.tabs[name] }))

/** What dialogs need weighs more than the rest of the screen, so it comes when it is first needed. */
const BackupsPage = lazy(async () => ({ default: (await import('./backups/backups-page.tsx')).BackupsPage }))
const ConnectionActions = lazy(async () => ({
  default: (await import('./edit/connection-actions.tsx')).ConnectionActions,
}))

/** The right column: what lies behind one connection. The statement being written outlives a look at the tables. */
export function ConnectionPage({ connection, place, onGo }: ConnectionPageProps) {
  const [draft, setDraft] = useState('')
  const panels: Record<TabName, () => ReactNode> = {
    tables: () => <TablesPage connection={connection} place={place} onGo={onGo} />,
    query: () => <QueryPage connection={connection} draft={draft} onDraft={setDraft} />,
    backups: () => (
      <Suspense fallback={<Loading bare text={copy.loadingBackups} />}>
        <BackupsPage connection={connection} />
      </Suspense>
    ),
  }
  return (
    <Card title={connection.name} actions={actionsFor(connection)}>
      <Tabs label={copy.sections} tabs={tabs} active={place.tab} onChange={(tab) => onGo({ ...place, tab })}>
        {panels[place.tab]()}
      </Tabs>
    </Card>
  )
}

/** A backend that tells what a connection can do lets people change those that they added. */
function actionsFor(connection: Connection): ReactNode {
  if (connection.can === undefined || connection.is_builtin === 1) return undefined
  return (
    <Suspense fallback={null}>
      <ConnectionActions connection={connection} />
    </Suspense>
  )
}
