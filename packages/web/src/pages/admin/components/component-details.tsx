import type { ComponentDetail } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { componentDetailQueries } from '#data/component-details.ts'
import { formatInstant } from '#format/time.ts'
import type { ComponentConfig, ComponentEntry } from '#ports/controls.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import classes from './component-details.module.css'
import { details as copy } from './details-copy.ts'

export interface ComponentDetailsProps {
  components: readonly ComponentEntry[]
  onRevert: (component: ComponentEntry, config: ComponentConfig) => void
}

/** COMP-11: what each component did. A backend without these figures shows nothing here. */
export function ComponentDetails({ components, onRevert }: ComponentDetailsProps) {
  const { data } = useQuery(componentDetailQueries.list())
  const [chosen, setChosen] = useState('DataEngine')
  if (data === undefined || data.length === 0) return null
  const detail = data.find(({ id }) => id === chosen)
  const component = components.find(({ id }) => id === chosen)
  return (
    <>
      <Figures details={data} />
      <Card
        title={copy.of(chosen)}
        actions={
          <SelectField
            label={copy.component}
            labelHidden
            value={chosen}
            options={data.map(({ id }) => ({ value: id, label: id }))}
            onChange={setChosen}
          />
        }
      >
        {detail && component && (
          <Grid min="wide">
            <History detail={detail} />
            <Versions detail={detail} onRevert={(config) => onRevert(component, config)} />
          </Grid>
        )}
      </Card>
    </>
  )
}

interface FiguresProps {
  details: readonly ComponentDetail[]
}

function Figures({ details }: FiguresProps) {
  const series = details.flatMap(({ throughput }) => throughput?.series ?? [])
  const { data: course } = useQuery(componentDetailQueries.course(series))
  const valuesOf = (name: string) =>
    (course?.series.find((each) => each.name === name)?.points ?? []).map(([, last]) => last)
  return (
    <Card title={copy.figures} aside={copy.lastHour}>
      <Table label={copy.figures} columns={copy.columns}>
        {details.map(({ id, throughput, throughput_note, queue, queue_note, last_error }) => (
          <tr key={id}>
            <Cell>{id}</Cell>
            <Cell>
              <div className={classes.spark}>
                {throughput !== null && valuesOf(throughput.series).length > 1 ? (
                  <SparkLine values={valuesOf(throughput.series)} />
                ) : null}
              </div>
            </Cell>
            <Cell align="end">
              {throughput === null ? (
                <Unknown reason={throughput_note} />
              ) : (
                <span title={throughput.about}>{copy.rate(throughput.value, throughput.unit)}</span>
              )}
            </Cell>
            <Cell align="end">
              {queue === null ? (
                <Unknown reason={queue_note} />
              ) : (
                <span title={queue.about}>{queue.length}</span>
              )}
            </Cell>
            <Cell>{last_error === null ? <Unknown reason={copy.noError} /> : copy.error(last_error)}</Cell>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

/** COMP-12: a dash with its reason, never an invented figure. */
function Unknown({ reason }: { reason: string | undefined }) {
  return (
    <span className={classes.unknown}>
      — <small>{reason}</small>
    </span>
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
