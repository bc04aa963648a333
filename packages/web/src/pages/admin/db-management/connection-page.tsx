import type { Connection } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { Card } from '#ui/frame/card.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { BackupsPage } from './backups/backups-page.tsx'
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

/** The right column: what lies behind one connection. The statement being written outlives a look at the tables. */
export function ConnectionPage({ connection, place, onGo }: ConnectionPageProps) {
  const [draft, setDraft] = useState('')
  const panels: Record<TabName, () => ReactNode> = {
    tables: () => <TablesPage connectionId={connection.id} place={place} onGo={onGo} />,
    query: () => <QueryPage connection={connection} draft={draft} onDraft={setDraft} />,
    backups: () => <BackupsPage connectionId={connection.id} />,
  }
  return (
    <Card>
      <Tabs label={copy.sections} tabs={tabs} active={place.tab} onChange={(tab) => onGo({ ...place, tab })}>
        {panels[place.tab]()}
      </Tabs>
    </Card>
  )
}
