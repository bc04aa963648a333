import type { AuditLog, Strategy, StrategyLogLine } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditQueries } from '#data/audit-logs.ts'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { type LogKind, useStrategyLog } from '#data/strategies.ts'
import { formatPrice, formatQuantity, formatSignal } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { Segments } from '#ui/control/segments.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { copy } from './copy.ts'
import classes from './strategy-drawer.module.css'

export interface StrategyLogProps {
  strategy: Strategy
  /** The label of a parameter. */
  labelOf: (name: string) => string
}

const { drawer: words } = copy

/** What the strategy did and what was done with it, newest first; of an engine without such a log the audit records. */
export function StrategyLog(props: StrategyLogProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  if (backend?.kind !== 'live') return null
  return offers(backend, 'strategy-log') ? <JournalLog {...props} /> : <AuditRecords {...props} />
}

const KINDS = ['all', 'state', 'order', 'denial'] as const satisfies readonly (LogKind | 'all')[]

/** STRAT-60 */
function JournalLog({ strategy, labelOf }: StrategyLogProps) {
  const [kind, setKind] = useState<LogKind | 'all'>('all')
  const { data, isError } = useStrategyLog(strategy, kind === 'all' ? undefined : kind)
  return (
    <section>
      <h3>{words.log}</h3>
      <div className={classes.filter}>
        <Segments
          label={words.log}
          labelHidden
          value={kind}
          options={KINDS.map((value) => ({ value, label: words.logKinds[value] }))}
          onChange={setKind}
        />
      </div>
      {data === undefined && isError && <p>{words.logFailed}</p>}
      {data?.lines.length === 0 && <p>{words.noLog}</p>}
      <ul className={classes.orders} aria-label={words.log}>
        {data?.lines.map((line) => (
          <li key={keyOf(line)}>
            <Line line={line} labelOf={labelOf} />
          </li>
        ))}
      </ul>
      {data?.is_complete === false && <p className={classes.time}>{words.olderLog}</p>}
    </section>
  )
}

/** One entry of the journal may have several orders. */
function keyOf({ journal_seq: seq, event, order }: StrategyLogLine): string {
  return [seq, event, order?.id].join(' ')
}

function Line({ line, labelOf }: { line: StrategyLogLine; labelOf: StrategyLogProps['labelOf'] }) {
  const { at, by, kind, event, sentence, order, intent, signal = {}, changes = [] } = line
  const isDenial = kind === 'denial'
  const figures = Object.entries(signal).map(([name, value]) => formatSignal(name, value))
  const motive = [...figures, ...(intent ? [words.wanted(intentText(intent))] : [])]
  const changed = changes.map(
    ({ name, before, after }) =>
      `${nameOf(name, labelOf)} ${before ?? words.noValue} → ${after ?? words.noValue}`,
  )
  return (
    <>
      {order ? <OrderLine order={order} isDenied={isDenial} /> : titleOfEvent(event)}
      {sentence && <span className={classes.time}>{sentence}</span>}
      {[motive, changed]
        .filter((texts) => texts.length > 0)
        .map((texts) => (
          <span key={texts.join()} className={classes.time}>
            {texts.join(', ')}
          </span>
        ))}
      <span className={classes.time}>{[formatInstant(at), by].filter(Boolean).join(' · ')}</span>
    </>
  )
}

function OrderLine({ order, isDenied }: { order: NonNullable<StrategyLogLine['order']>; isDenied: boolean }) {
  const { id, side, type, quantity, instrument, price } = order
  return (
    <>
      {isDenied && (
        <>
          <ToneText tone="bad">{words.refused}</ToneText>{' '}
        </>
      )}
      <TextLink to={`${paths.orders}?order=${id}`}>{String(id)}</TextLink> {type} {side}{' '}
      {formatQuantity(quantity)} {instrument}
      {price !== null && ` ${formatPrice(price)}`}
    </>
  )
}

function titleOfEvent(event: string): string {
  return Object.entries(words.logEvents).find(([name]) => name === event)?.[1] ?? event
}

function nameOf(name: string, labelOf: StrategyLogProps['labelOf']): string {
  return Object.entries(words.logValues).find(([known]) => known === name)?.[1] ?? labelOf(name)
}

function intentText(intent: NonNullable<StrategyLogLine['intent']>): string {
  if (intent.type === 'exit') return formatPrice(intent.price)
  if (intent.type === 'target') return words.target(formatQuantity(intent.position))
  const price = intent.price === null ? words.atMarket : formatPrice(intent.price)
  return words.place(intent.side, formatQuantity(intent.quantity), price)
}

/** STRAT-55: what was done with the strategy, by whom and when, newest first. */
function AuditRecords({ strategy, labelOf }: StrategyLogProps) {
  const { data: records, isError } = useQuery(auditQueries.strategy(strategy.id))
  return (
    <section>
      <h3>{words.log}</h3>
      {records === undefined && isError && <p>{words.logFailed}</p>}
      {records?.length === 0 && <p>{words.noLog}</p>}
      <ul className={classes.orders}>
        {records?.map((record) => (
          <li key={record.id}>
            {titleOf(record)}
            <span className={classes.time}>{changesOf(record, labelOf).join(', ')}</span>
            <span className={classes.time}>
              {formatInstant(record.at)} · {record.actor}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An act of another kind, such as an emergency stop, keeps its name. */
function titleOf({ action }: AuditLog): string {
  const act = action.replace(/^strategies\./, '')
  return Object.entries(words.records).find(([name]) => name === act)?.[1] ?? action
}

/** Of the journal, for auditors: the number of the entry and what followed from it. */
const TRACES: readonly string[] = ['journal_entry', 'also']

/** Each value that differs, as it was and as it is. A new or deleted strategy has no other side. */
function changesOf({ before, after }: AuditLog, labelOf: StrategyLogProps['labelOf']): string[] {
  if (before === null || after === null) return []
  const was = valuesOf(before)
  return [...valuesOf(after)]
    .filter(([name, value]) => was.get(name) !== value && !TRACES.includes(name))
    .map(([name, value]) => `${nameOf(name, labelOf)} ${was.get(name) ?? words.noValue} → ${value}`)
}

/** The fields of a record and of its config as texts. */
function valuesOf(side: unknown): Map<string, string> {
  const { config, ...fields } = fieldsOf(side)
  return new Map(
    Object.entries({ ...fields, ...fieldsOf(config) }).map(([name, value]) => [name, textOf(value)]),
  )
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return words.noValue
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
