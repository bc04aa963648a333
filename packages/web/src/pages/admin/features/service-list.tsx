import type { ServiceAction, ServiceEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'

export interface ServiceListProps {
  services: readonly ServiceEntry[]
  isBusy: (action: ServiceAction, service: ServiceEntry) => boolean
  onAct: (action: ServiceAction, service: ServiceEntry) => void
}

const ACTIONS = ['start', 'stop', 'restart', 'configure'] as const

export function ServiceList({ services, isBusy, onAct }: ServiceListProps) {
  if (services.length === 0) return <EmptyState title={copy.services.empty} />
  return (
    <EntryList label={copy.services.title}>
      {services.map((service) => (
        <Entry
          key={service.id}
          name={service.name}
          status={
            <Badge tone={toneOfStatus(service.status)} dot>
              {service.status}
            </Badge>
          }
        >
          {ACTIONS.map((action) => (
            <Button key={action} busy={isBusy(action, service)} onClick={() => onAct(action, service)}>
              {copy.services.actions[action]}
            </Button>
          ))}
        </Entry>
      ))}
    </EntryList>
  )
}
