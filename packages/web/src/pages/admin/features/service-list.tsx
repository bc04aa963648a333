import type { ServiceAction, ServiceEntry } from '#ports/controls.ts'
import { SERVICE_EFFECTS } from '#ports/feature-effects.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'

export interface ServiceListProps {
  services: readonly ServiceEntry[]
  /** Whether the services have an effect. */
  isLive: boolean
  isBusy: (action: ServiceAction, service: ServiceEntry) => boolean
  onAct: (action: ServiceAction, service: ServiceEntry) => void
}

const ACTIONS = ['start', 'stop', 'restart', 'configure'] as const

export function ServiceList({ services, isLive, isBusy, onAct }: ServiceListProps) {
  if (services.length === 0) return <EmptyState title={copy.services.empty} />
  return (
    <EntryList label={copy.services.title}>
      {services.map((service) => (
        <Entry
          key={service.id}
          name={service.name}
          note={isLive ? noteOf(service) : undefined}
          status={
            <Badge tone={toneOfStatus(service.status)} dot>
              {service.status}
            </Badge>
          }
        >
          {ACTIONS.map((action) => (
            <Button
              key={action}
              disabled={isLive && isMoot(action, service)}
              busy={isBusy(action, service)}
              onClick={() => onAct(action, service)}
            >
              {copy.services.actions[action]}
            </Button>
          ))}
        </Entry>
      ))}
    </EntryList>
  )
}

/** SHELL-103: a running service has nothing to start, a stopped one nothing to stop. */
function isMoot(action: ServiceAction, { status }: ServiceEntry): boolean {
  return (action === 'start' && status === 'running') || (action === 'stop' && status === 'stopped')
}

/** FEAT-11: what the service does as it is. */
function noteOf({ id, status }: ServiceEntry): string | undefined {
  const effect = SERVICE_EFFECTS.get(id)
  return status === 'running' ? effect?.running : effect?.stopped
}
