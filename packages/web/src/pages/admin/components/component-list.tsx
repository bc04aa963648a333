import { isRunningStatus } from '#data/engine.ts'
import type { ComponentAction, ComponentEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
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
            {actionsFor(component).map((action) => (
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

/** COMP-10: a component that does not run offers Start as well. */
export function actionsFor({ status }: ComponentEntry): readonly ComponentAction[] {
  return isRunningStatus(status) ? ACTIONS : ['start', ...ACTIONS]
}
