import type { Component } from '@binnacle/contract'
import { StatusDot } from '#ui/figure/status-dot.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { Loading } from '#ui/state/loading.tsx'
import classes from './components-card.module.css'
import { copy } from './copy.ts'

export interface ComponentsCardProps {
  isLoading: boolean
  /** Null if the backend does not list them, undefined if the load failed. */
  components: readonly Component[] | null | undefined
}

export function ComponentsCard({ isLoading, components }: ComponentsCardProps) {
  const isEmpty = components === null || components?.length === 0
  return (
    <Card title={copy.components.title}>
      {isLoading && <Loading bare text={copy.components.loading} lines={3} />}
      {isEmpty && <p className={classes.none}>{copy.components.none}</p>}
      {components && !isEmpty && (
        <ul className={classes.grid}>
          {components.map(({ id, name, type, status }) => (
            <li key={id} className={classes.component}>
              <StatusDot tone={toneOfStatus(status)} />
              <span className={classes.name}>{name}</span>
              <span className={classes.note}>
                {type} · {status}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
