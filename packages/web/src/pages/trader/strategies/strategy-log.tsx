import type { AuditLog, Id } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { auditQueries } from '#data/audit-logs.ts'
import { useIsLive } from '#data/capabilities.ts'
import { formatInstant } from '#format/time.ts'
import { copy } from './copy.ts'
import classes from './strategy-drawer.module.css'

export interface StrategyLogProps {
  id: Id
  /** The label of a parameter. */
  labelOf: (name: string) => string
}

const { drawer: words } = copy

/** STRAT-55: what was done with the strategy, by whom and when, newest first. */
export function StrategyLog({ id, labelOf }: StrategyLogProps) {
  const isLive = useIsLive()
  const { data: records, isError } = useQuery({ ...auditQueries.strategy(id), enabled: isLive })
  if (!isLive) return null
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

/** Each value that differs, as it was and as it is. A new or deleted strategy has no other side. */
function changesOf({ before, after }: AuditLog, labelOf: StrategyLogProps['labelOf']): string[] {
  if (before === null || after === null) return []
  const was = valuesOf(before)
  return [...valuesOf(after)]
    .filter(([name, value]) => was.get(name) !== value)
    .map(([name, value]) => `${labelOf(name)} ${was.get(name) ?? words.noValue} → ${value}`)
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
