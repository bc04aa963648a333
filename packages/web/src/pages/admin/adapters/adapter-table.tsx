import type { Adapter } from '@binnacle/contract'
import { formatDuration } from '#format/duration.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ActionsCell, NameCell, SparkCell, TallRow, TallTable } from '#ui/list/tall-table.tsx'
import { FreshnessDot, type FreshnessName } from '#ui/state/freshness-dot.tsx'
import { copy } from './copy.ts'
import classes from './live-adapters.module.css'
import { live, stateNote } from './live-copy.ts'

type Action = 'toggle' | 'test' | 'config'

export interface AdapterTableProps {
  adapters: readonly Adapter[]
  /** The time from which ages count. */
  at: number
  selectedId: string | undefined
  pending: Readonly<Record<'toggle' | 'test', ReadonlySet<string>>>
  onSelect: (id: string) => void
  onAct: (action: Action, adapter: Adapter) => void
}

const ACTIONS: readonly Action[] = ['toggle', 'test', 'config']
const { columns } = live
const COLUMNS = [
  { title: columns.adapter },
  { title: columns.state },
  { title: columns.lastMessage },
  { title: columns.latency },
  { title: columns.p50, align: 'end' },
  { title: columns.p95, align: 'end' },
  { title: columns.reconnects, align: 'end' },
  { title: columns.instruments },
  { title: columns.actions, align: 'end' },
] as const
const DELAYED_AFTER_MS = 2_000
const STALE_AFTER_MS = 10_000

export function AdapterTable({ adapters, at, selectedId, pending, onSelect, onAct }: AdapterTableProps) {
  return (
    <Card title={copy.list} aside={live.lastHour}>
      <TallTable label={copy.list} columns={COLUMNS}>
        {adapters.map((adapter) => (
          <TallRow key={adapter.id} isSelected={adapter.id === selectedId}>
            <NameCell
              name={adapter.name}
              note={`${adapter.type}, ${adapter.mode}`}
              isSelected={adapter.id === selectedId}
              onSelect={() => onSelect(adapter.id)}
            />
            <td>
              <Badge tone={adapter.status === 'connected' ? 'good' : 'bad'} dot>
                {adapter.status}
              </Badge>
              <small>{stateNote(adapter, at)}</small>
            </td>
            <td>
              <LastMessage adapter={adapter} at={at} />
            </td>
            <SparkCell>
              <HistoryLine adapter={adapter} />
            </SparkCell>
            <td data-align="end" data-label={columns.p50}>
              <b>{adapter.latency?.p50 ?? '—'}</b>
            </td>
            <td data-align="end" data-label={columns.p95}>
              <b>{adapter.latency?.p95 ?? '—'}</b>
            </td>
            <td data-align="end" data-label={columns.reconnects}>
              {adapter.reconnects ?? '—'}
            </td>
            <td>
              <Instruments ids={adapter.instruments} />
            </td>
            <ActionsCell>
              {actionsOf(adapter).map((action) => (
                <Button
                  key={action}
                  busy={action !== 'config' && pending[action].has(adapter.id)}
                  onClick={() => onAct(action, adapter)}
                >
                  {copy[action]}
                </Button>
              ))}
            </ActionsCell>
          </TallRow>
        ))}
      </TallTable>
    </Card>
  )
}

/** An adapter of a node is configured where the node runs. */
function actionsOf({ config }: Adapter): readonly Action[] {
  return config === undefined ? ACTIONS.filter((action) => action !== 'config') : ACTIONS
}

interface LastMessageProps {
  adapter: Adapter
  at: number
}

function LastMessage({ adapter: { last_message_at, messages_per_second, status }, at }: LastMessageProps) {
  const ageMs = last_message_at === undefined ? undefined : Math.max(0, at - Date.parse(last_message_at))
  return (
    <>
      <span className={classes.age}>
        <FreshnessDot freshness={freshnessOf(ageMs, status)} />
        {ageMs === undefined ? live.never : formatAge(ageMs)}
      </span>
      <small>{messages_per_second === undefined ? '—' : live.perSecond(messages_per_second)}</small>
    </>
  )
}

function freshnessOf(ageMs: number | undefined, status: string): FreshnessName {
  if (ageMs === undefined) return 'disconnected'
  if (status !== 'connected' || ageMs > STALE_AFTER_MS) return 'stale'
  return ageMs > DELAYED_AFTER_MS ? 'delayed' : 'live'
}

/** With a tenth below ten seconds, where it matters. */
function formatAge(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms)
}

function HistoryLine({ adapter: { latency } }: { adapter: Adapter }) {
  const minutes = latency?.minutes ?? []
  // A line needs two points.
  return minutes.filter((ms) => ms !== null).length < 2 ? (
    <small>{live.noData}</small>
  ) : (
    <SparkLine values={minutes} />
  )
}

function Instruments({ ids }: { ids: readonly string[] }) {
  const symbols = ids.map((id) => id.split('.')[0] ?? id)
  const bases = [...new Set(symbols.map((symbol) => symbol.replace(/USDT(-PERP)?$/, '')))]
  const hasPerpetuals = symbols.some((symbol) => symbol.endsWith('-PERP'))
  return (
    <>
      {bases.join(', ')}
      <small>{hasPerpetuals ? 'spot and perpetual' : 'spot'}</small>
    </>
  )
}
