import type { ComponentDetail } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { componentDetailQueries } from '#data/component-details.ts'
import { formatInstant } from '#format/time.ts'
import type { ComponentConfig, ComponentEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import classes from './component-details.module.css'
import { ComponentFlow } from './component-flow.tsx'
import type { ComponentListProps } from './component-list.tsx'
import { ComponentTable } from './component-table.tsx'
import { details as copy } from './details-copy.ts'

export interface ComponentDetailsProps extends ComponentListProps {
  onRevert: (component: ComponentEntry, config: ComponentConfig) => void
}

/** The live screen: figures, flow, history and versions. A backend without these figures shows dashes. */
export function ComponentDetails({ components, onRevert, ...list }: ComponentDetailsProps) {
  const { data, dataUpdatedAt } = useQuery(componentDetailQueries.read())
  const details = data?.components ?? []
  const series = details.flatMap(({ throughput }) => throughput?.series ?? [])
  const { data: history } = useQuery(componentDetailQueries.history(series))
  const [selectedId, setSelectedId] = useState('DataEngine')
  const detail = details.find(({ id }) => id === selectedId)
  const component = components.find(({ id }) => id === selectedId)
  return (
    <>
      <ComponentTable
        components={components}
        details={details}
        history={history}
        selectedId={selectedId}
        {...list}
        at={dataUpdatedAt}
        onSelect={setSelectedId}
      />
      {details.length > 0 && (
        <ComponentFlow
          components={components}
          details={details}
          selectedId={selectedId}
          runningStrategies={data?.affected?.running_strategies}
          onSelect={setSelectedId}
        />
      )}
      {detail && component && (
        <Card title={copy.of(selectedId)}>
          <Grid min="wide">
            <History detail={detail} />
            <Versions detail={detail} onRevert={(config) => onRevert(component, config)} />
          </Grid>
        </Card>
      )}
    </>
  )
}

interface DetailProps {
  detail: ComponentDetail
}

function History({ detail: { history } }: DetailProps) {
  return (
    <div>
      <h3 className={classes.title}>{copy.history}</h3>
      {history.length === 0 ? (
        <p className={classes.note}>{copy.noHistory}</p>
      ) : (
        <ul className={classes.list} aria-label={copy.history}>
          {history.map(({ at, status, by }) => (
            // Two changes of a restart have one time.
            <li key={`${at} ${status}`}>
              <time dateTime={at}>{formatInstant(at)}</time>
              <Badge tone={toneOfStatus(status)} dot>
                {status}
              </Badge>
              <span>{copy.by(by)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface VersionsProps extends DetailProps {
  onRevert: (config: ComponentConfig) => void
}

/** COMP-14: the first of the list is in force. */
function Versions({ detail: { versions }, onRevert }: VersionsProps) {
  if (versions.every(({ config }) => Object.keys(config).length === 0)) {
    return (
      <div>
        <h3 className={classes.title}>{copy.versions}</h3>
        <p className={classes.note}>{copy.noSettings}</p>
      </div>
    )
  }
  return (
    <div>
      <h3 className={classes.title}>{copy.versions}</h3>
      <ul className={classes.list} aria-label={copy.versions}>
        {versions.map(({ version, at, by, config }, index) => (
          <li key={version}>
            <span>{index === 0 ? copy.current(version) : version}</span>
            <code>{JSON.stringify(config)}</code>
            <span>{at === undefined ? copy.delivered : `${formatInstant(at)}, ${copy.by(by ?? '—')}`}</span>
            {index > 0 && (
              <Button aria-label={copy.revertTo(version)} onClick={() => onRevert(config)}>
                {copy.revert}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
