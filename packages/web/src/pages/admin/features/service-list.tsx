import type { ServiceAction, ServiceEntry } from '#ports/controls.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Entry, EntryList } from '#ui/entry-list.tsx'
import { toneOfStatus } from '#ui/tone.ts'
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
