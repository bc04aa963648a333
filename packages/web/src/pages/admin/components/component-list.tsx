import type { ComponentAction, ComponentEntry } from '#ports/controls.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Entry, EntryList } from '#ui/entry-list.tsx'
import { toneOfStatus } from '#ui/tone.ts'
import { copy } from './copy.ts'

export interface ComponentListProps {
  components: readonly ComponentEntry[]
  isBusy: (action: ComponentAction, component: ComponentEntry) => boolean
  onAct: (action: ComponentAction, component: ComponentEntry) => void
}

const ACTIONS = ['stop', 'restart', 'configure'] as const

export function ComponentList({ components, isBusy, onAct }: ComponentListProps) {
  if (components.length === 0) return <EmptyState title={copy.empty} />
  return (
    <Card title={copy.list}>
      <EntryList label={copy.list}>
        {components.map((component) => (
          <Entry
            key={component.id}
            name={component.name}
            note={component.type}
            status={
              <Badge tone={toneOfStatus(component.status)} dot>
                {component.status}
              </Badge>
            }
          >
            {ACTIONS.map((action) => (
              <Button key={action} busy={isBusy(action, component)} onClick={() => onAct(action, component)}>
                {copy.actions[action]}
              </Button>
            ))}
          </Entry>
        ))}
      </EntryList>
    </Card>
  )
}
