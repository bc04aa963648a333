import type { Id, Service } from '@binnacle/contract'
import type { ProbedHealth } from '#data/api-services/probes.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { PickItem, PickList } from '#ui/list/pick-list.tsx'
import { copy } from './copy.ts'
import { healthDetail, toneOfHealth } from './health-view.ts'
import classes from './services-list.module.css'

export interface ListedService {
  service: Service
  health: ProbedHealth
  /** In words, since a count may be on its way or out of reach. */
  routeCount: string
}

export interface ServicesListProps {
  listed: readonly ListedService[]
  selectedId: Id | undefined
  onSelect: (service: Service) => void
}

export function ServicesList({ listed, selectedId, onSelect }: ServicesListProps) {
  return (
    <PickList label={copy.services}>
      {listed.map(({ service, health, routeCount }) => (
        <PickItem
          key={String(service.id)}
          isPicked={service.id === selectedId}
          onPick={() => onSelect(service)}
        >
          <span className={classes.head}>
            <strong>{service.name}</strong>
            <Badge tone={toneOfHealth(health)} dot>
              {health.status}
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
        </PickItem>
      ))}
    </PickList>
  )
}
