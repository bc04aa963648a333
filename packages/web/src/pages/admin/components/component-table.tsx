import type { ComponentDetail, Samples } from '@binnacle/contract'
import { seriesOf } from '#data/samples.ts'
import { formatDuration } from '#format/duration.ts'
import type { ComponentAction, ComponentEntry } from '#ports/controls.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ActionsCell, NameCell, SparkCell, TallRow, TallTable } from '#ui/list/tall-table.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { actionsFor, type ComponentListProps } from './component-list.tsx'
import { copy } from './copy.ts'
import { details as words } from './details-copy.ts'

export interface ComponentTableProps extends ComponentListProps {
  details: readonly ComponentDetail[]
  /** When the details were loaded. */
  at: number
  /** Undefined until loaded. */
  history: Samples | undefined
  selectedId: string
  onSelect: (id: string) => void
}

const { columns } = words
const COLUMNS = [
  { title: columns.name },
  { title: columns.status },
  { title: columns.uptime },
  { title: columns.throughput },
  { title: columns.now, align: 'end' },
  { title: columns.queue, align: 'end' },
  { title: columns.lastError },
  { title: columns.actions, align: 'end' },
] as const

/** COMP-11: each component with its figures and actions. */
export function ComponentTable({ components, details, ...rest }: ComponentTableProps) {
  if (components.length === 0) return <EmptyState title={copy.empty} />
  return (
    <Card title={copy.list} aside={words.lastHour}>
      <TallTable label={copy.list} columns={COLUMNS}>
        {components.map((component) => (
          <ComponentRow
            key={component.id}
            component={component}
            detail={details.find(({ id }) => id === component.id)}
            {...rest}
          />
        ))}
      </TallTable>
    </Card>
  )
}

interface ComponentRowProps extends Omit<ComponentTableProps, 'components' | 'details'> {
  component: ComponentEntry
  /** Undefined until loaded, and for a component of another engine. */
  detail: ComponentDetail | undefined
}

function ComponentRow({ component, detail, ...row }: ComponentRowProps) {
  const { id, name, type, status } = component
  return (
    <TallRow isSelected={id === row.selectedId}>
      <NameCell
        name={name}
        note={type}
        isSelected={id === row.selectedId}
        onSelect={() => row.onSelect(String(id))}
      />
      <td>
        <Badge tone={toneOfStatus(status)} dot>
          {status}
        </Badge>
      </td>
      <td data-label={columns.uptime}>{uptimeOf(detail, row.at)}</td>
      <SparkCell>
        <HistoryLine series={detail?.throughput?.series} history={row.history} />
      </SparkCell>
      <td data-align="end" data-label={columns.now}>
        <Throughput detail={detail} />
      </td>
      <td data-align="end" data-label={columns.queue}>
        <Queue detail={detail} />
      </td>
      <td data-label={columns.lastError}>
        <LastError detail={detail} />
      </td>
      <ActionsCell>
        {actionsFor(component).map((action: ComponentAction) => (
          <Button
            key={action}
            busy={row.isBusy(action, component)}
            onClick={() => row.onAct(action, component)}
          >
            {copy.actions[action]}
          </Button>
        ))}
      </ActionsCell>
    </TallRow>
  )
}

function uptimeOf(detail: ComponentDetail | undefined, at: number): string {
  return detail?.running_since === undefined ? '—' : formatDuration(at - Date.parse(detail.running_since))
}

interface HistoryLineProps {
  series: string | undefined
  history: Samples | undefined
}

function HistoryLine({ series, history }: HistoryLineProps) {
  const values = series === undefined ? [] : (seriesOf(history, series)?.points ?? []).map(([, last]) => last)
  // A line needs two points.
  return values.length < 2 ? null : <SparkLine values={values} />
}

interface DetailProps {
  detail: ComponentDetail | undefined
}

function Throughput({ detail }: DetailProps) {
  if (detail === undefined) return '—'
  const { throughput, throughput_note } = detail
  if (throughput === null) return <Unknown reason={throughput_note} />
  return <b title={throughput.about}>{words.rate(throughput.value, throughput.unit)}</b>
}

function Queue({ detail }: DetailProps) {
  if (detail === undefined) return '—'
  const { queue, queue_note } = detail
  return queue === null ? <Unknown reason={queue_note} /> : <span title={queue.about}>{queue.length}</span>
}

function LastError({ detail }: DetailProps) {
  if (detail === undefined) return '—'
  return detail.last_error === null ? words.noError : words.error(detail.last_error)
}

/** COMP-12: a dash with its reason, never an invented figure. */
function Unknown({ reason }: { reason: string | undefined }) {
  return (
    <>
      — <small>{reason}</small>
    </>
  )
}
