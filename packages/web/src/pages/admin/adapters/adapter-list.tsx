import type { AdapterEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'

export type AdapterAction = 'toggle' | 'test' | 'config'

export interface AdapterListProps {
  adapters: readonly AdapterEntry[]
  isBusy: (action: AdapterAction, adapter: AdapterEntry) => boolean
  onAct: (action: AdapterAction, adapter: AdapterEntry) => void
}

const ACTIONS = ['toggle', 'test', 'config'] as const

export function AdapterList({ adapters, isBusy, onAct }: AdapterListProps) {
  if (adapters.length === 0) return <EmptyState title={copy.empty} />
  return (
    <Card title={copy.list}>
      <EntryList label={copy.list}>
        {adapters.map((adapter) => (
          <Entry
            key={adapter.id}
            name={adapter.name}
            note={adapter.type}
            status={
              <Badge tone={adapter.status === 'connected' ? 'good' : 'calm'} dot>
                {adapter.status}
              </Badge>
            }
          >
            {ACTIONS.map((action) => (
              <Button key={action} busy={isBusy(action, adapter)} onClick={() => onAct(action, adapter)}>
                {copy[action]}
              </Button>
            ))}
          </Entry>
        ))}
      </EntryList>
    </Card>
  )
}
