import type { Emergency, EngineEntry } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { type EngineAct, useActOnEngine, useEmergencies } from '#data/engine-emergency.ts'
import { problemText } from '#data/failure.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { HoldButton } from '#ui/control/hold-button.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import classes from './emergency-drawer.module.css'
import { Level, OUTCOMES } from './emergency-level.tsx'

export interface AllEnginesEmergency {
  body: ReactNode
  halt: (() => void) | undefined
  closeAll: (() => void) | undefined
}

const DONE: Readonly<Record<EngineAct['act'], string>> = {
  REDUCING: 'Reduce-only.',
  HALTED: 'Halted.',
  start: 'Closing has begun.',
  end: 'Closing was ended.',
}

const UNKNOWN: Readonly<Record<EngineAct['act'], string>> = {
  REDUCING: 'No answer. It may have become reduce-only; check it before trying again.',
  HALTED: 'No answer. It may have been halted; check it before trying again.',
  start: 'No answer. Closing may have begun; check it before trying again.',
  end: 'No answer. Closing may have been ended; check it before trying again.',
}

const failures = createFailureToasts<EngineAct>({
  name: ({ engine }) => `emergency of ${engine}`,
  unknown: ({ engine, act }) => `${engine}: ${UNKNOWN[act]}`,
})

const COLUMNS = [
  { title: 'Engine' },
  { title: 'State' },
  { title: 'Orders', align: 'end' as const },
  { title: 'Positions', align: 'end' as const },
]

/** ENGS-14: the three levels on every engine at once, each with its own result. */
export function useAllEnginesEmergency(
  engines: readonly EngineEntry[],
  isShown: boolean,
): AllEnginesEmergency {
  const emergencies = useEmergencies(engines, isShown)
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  const report = (engine: string, text: string, startedAt: string | null = null) =>
    setResults((known) => new Map(known).set(engine, { text, startedAt }))
  const command = useActOnEngine({
    onStart: (request) => {
      failures.onStart(request)
      report(request.engine, 'Sent, waiting for the answer.')
    },
    onDone: (reply, { engine, act }) =>
      report(engine, DONE[act], act === 'start' && 'started_at' in reply ? reply.started_at : null),
    onFailure: (error, request, context) => {
      failures.onFailure(error, request, context)
      const refused = problemText(error) ?? 'The engine refused this.'
      report(request.engine, context.outcome === 'refused' ? refused : UNKNOWN[request.act])
    },
  })
  const onAll = (act: EngineAct['act'], some: (engine: EngineEntry) => boolean = () => true) => {
    for (const engine of engines.filter(some)) command.run({ engine: engine.name, act })
  }
  const isClosing = ({ name }: EngineEntry) => emergencies.get(name)?.is_active === true
  const isBusy = command.isPending
  const halt = () => onAll('HALTED', ({ trading_state: state }) => state !== 'HALTED')
  const closeAll = () => onAll('start', (engine) => !isClosing(engine))
  const isEvery = (state: string) => engines.every(({ trading_state: current }) => current === state)
  return {
    halt: isBusy || isEvery('HALTED') ? undefined : halt,
    closeAll: isBusy || engines.every(isClosing) ? undefined : closeAll,
    body: (
      <>
        <EngineTable engines={engines} emergencies={emergencies} results={results} />
        <Level number={1} title="Reduce only" isOn={isEvery('REDUCING')}>
          <p>On every engine that is ACTIVE, orders that open or add to a position are blocked.</p>
          {engines.some(({ trading_state: state }) => state === 'ACTIVE') && (
            <Button
              kind="danger"
              busy={isBusy}
              onClick={() => onAll('REDUCING', ({ trading_state: state }) => state === 'ACTIVE')}
            >
              Reduce Only on all engines
            </Button>
          )}
        </Level>
        <Level number={2} title="Halt" isOn={isEvery('HALTED')}>
          <p>On every engine all new orders are blocked, including closing ones. Cancels always pass.</p>
          {!isEvery('HALTED') && <HoldButton verb="halt all engines" busy={isBusy} onHeld={halt} />}
        </Level>
        <Level number={3} title="Halt, cancel all and close all" isOn={engines.some(isClosing)}>
          <p>
            On every engine: stops every strategy, cancels every working order, closes every position at
            market, then halts. An engine that does not answer stops no other one.
          </p>
          {engines.some(isClosing) && (
            <Button busy={isBusy} onClick={() => onAll('end', isClosing)}>
              Stop closing on all engines
            </Button>
          )}
          {!engines.every(isClosing) && (
            <HoldButton verb="close all on all engines" busy={isBusy} onHeld={closeAll} />
          )}
        </Level>
      </>
    ),
  }
}

interface EngineTableProps {
  engines: readonly EngineEntry[]
  emergencies: ReadonlyMap<string, Emergency>
  results: ReadonlyMap<string, Result>
}

/** What an engine answered. */
interface Result {
  text: string
  /** When the closing that it began did so. */
  startedAt: string | null
}

/** What there is on each engine now, and what came of the last act on it. */
function EngineTable({ engines, emergencies, results }: EngineTableProps) {
  const countOf = (name: string, count: (row: Emergency['venues'][number]) => number) =>
    emergencies.get(name)?.venues.reduce((total, row) => total + count(row), 0) ?? '—'
  return (
    <div className={classes.engines}>
      <Table label="Engines" columns={COLUMNS}>
        {engines.map(({ name, state, trading_state: trading }) => (
          <tr key={name}>
            <Cell>{name}</Cell>
            <Cell>{trading ?? state}</Cell>
            <Cell align="end">{countOf(name, ({ orders }) => orders)}</Cell>
            <Cell align="end">{countOf(name, ({ positions }) => positions)}</Cell>
          </tr>
        ))}
      </Table>
      <ul className={classes.left} aria-label="What each engine answered" aria-live="polite">
        {engines.flatMap(({ name }) => {
          const result = results.get(name)
          const left = emergencies.get(name)
          const open = left?.is_active ? left.open : []
          if (result === undefined && open.length === 0) return []
          const outcome = outcomeOf(result, left)
          const text = outcome ? `${OUTCOMES[outcome]}.` : result?.text
          return (
            <li key={name} data-closed={outcome === 'flat' || undefined}>
              <b>{name}</b>
              {[text, ...open.map(openText)].filter(Boolean).join(' ')}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** ENGS-56: how the closing ended that this control began, not an earlier one. */
function outcomeOf(result: Result | undefined, emergency: Emergency | undefined): Emergency['outcome'] {
  const isOurs = emergency !== undefined && result?.startedAt === emergency.started_at
  return isOurs && result.startedAt !== null && !emergency.is_active ? emergency.outcome : null
}

function openText({ quantity, instrument, obstacle }: Emergency['open'][number]): string {
  return `${quantity} ${instrument}: ${obstacle ?? 'being closed.'}`
}
