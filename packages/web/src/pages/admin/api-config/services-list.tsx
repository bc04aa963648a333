import type { Id, Service } from '@binnacle/contract'
import type { ProbedHealth } from '#data/api-services/probes.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { PickItem, PickList } from '#ui/list/pick-list.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { ProbeHistory } from './probe-history.tsx'
import classes from './services-list.module.css'

export interface ServiceListItem {
  service: Service
  health: ProbedHealth
  /** A text, because the count may be loading or unavailable. */
  routeCount: string
}

export interface ServicesListProps {
  items: readonly ServiceListItem[]
  selectedId: Id | undefined
  onSelect: (service: Service) => void
}

export function ServicesList({ items, selectedId, onSelect }: ServicesListProps) {
  return (
    <PickList label={copy.services}>
      {items.map(({ service, health, routeCount }) => (
        <PickItem
          key={String(service.id)}
          isPicked={service.id === selectedId}
          onPick={() => onSelect(service)}
        >
          <span className={classes.head}>
            <strong>{service.name}</strong>
            <Badge tone={toneOfHealth(health)} dot>
              {health.is_pending ? copy.probes.pending : health.status}
            </Badge>
          </span>
          {service.description && <span className={classes.text}>{service.description}</span>}
          <span className={classes.url}>{service.url}</span>
          <span className={classes.foot}>
            <span>{routeCount}</span>
            <span className={classes.detail} data-tone={toneOfHealth(health)}>
              {healthDetail(health)}
            </span>
          </span>
          {health.history && health.history.length > 0 && (
            <ProbeHistory history={health.history} uptime={health.uptime ?? 0} />
          )}
        </PickItem>
      ))}
    </PickList>
  )
}

const tones: Record<ProbedHealth['status'], Tone> = {
  checking: 'calm',
  healthy: 'good',
  unhealthy: 'bad',
  unknown: 'warn',
}

export function toneOfHealth({ status, is_pending }: ProbedHealth): Tone {
  return is_pending ? 'warn' : tones[status]
}

/** The response time of a healthy service, or the error of an unhealthy one. */
export function healthDetail({ status, error, response_time: ms }: ProbedHealth): string | undefined {
  if (status === 'healthy') return typeof ms === 'number' ? copy.milliseconds(ms) : undefined
  if (status === 'checking') return undefined
  return error || (status === 'unhealthy' ? copy.connectionFailed : undefined)
}
