import { type Emergency, type EmergencyVenue, TRADING_STATES, type TradingState } from '@binnacle/contract'
import { IconAlertOctagon } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type EmergencyChange, useChangeEmergency, useEmergency } from '#data/emergency.ts'
import { isShown, useEngines } from '#data/engines.ts'
import { useChangeTradingState, useTradingState } from '#data/trading-state.ts'
import { formatMoney } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { tradingStateFailures } from '#state/trading-state-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { HoldButton } from '#ui/control/hold-button.tsx'
import { Segments } from '#ui/control/segments.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Drawer } from '#ui/frame/drawer.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { useAllEnginesEmergency } from './all-engines-emergency.tsx'
import classes from './emergency-drawer.module.css'
import { Level, OUTCOMES } from './emergency-level.tsx'

export interface EmergencyDrawerProps {
  onClose: () => void
}

const HALT_WORD = 'HALT'
const CLOSE_WORD = 'CLOSE ALL'

const emergencyFailures = createFailureToasts<EmergencyChange>({
  name: () => 'emergency',
  unknown: (change) =>
    change === 'start'
      ? 'No answer. Closing everything may have begun; check the emergency control before trying again.'
      : 'No answer. Closing may have been ended; check the emergency control before trying again.',
})

/** SHELL-37: three levels, each a deliberate act. Nothing here lets an order open or add to a position again. */
export function EmergencyDrawer({ onClose }: EmergencyDrawerProps) {
  const engines = useEngines()
  const [scope, setScope] = useState<'one' | 'all'>('one')
  const isAll = scope === 'all' && engines.length > 1
  const one = useOneEngineEmergency(onClose)
  const all = useAllEnginesEmergency(engines, isAll)
  const { body, halt, closeAll } = isAll ? all : one
  const words = { ...(halt && { [HALT_WORD]: halt }), ...(closeAll && { [CLOSE_WORD]: closeAll }) }
  return (
    <Drawer
      title="Emergency control"
      icon={<IconAlertOctagon size={18} stroke={1.5} className={classes.sign} aria-hidden />}
      footer={<TypedWord words={words} />}
      onClose={onClose}
    >
      {engines.length > 1 && (
        <Segments
          label="Acts on"
          value={scope}
          options={[
            { value: 'one', label: engines.find(isShown)?.name ?? 'This engine' },
            { value: 'all', label: 'All engines' },
          ]}
          onChange={setScope}
          isWide
        />
      )}
      {body}
    </Drawer>
  )
}

/** The engine that the console shows. */
function useOneEngineEmergency(onClose: () => void) {
  const current = useTradingState()
  const emergency = useEmergency()
  const change = useChangeTradingState(tradingStateFailures)
  const changeEmergency = useChangeEmergency(emergencyFailures)
  const state = current?.state
  const isBusy = change.isPending || changeEmergency.isPending
  const halt = () => change.run('HALTED')
  const closeAll = () => changeEmergency.run('start')
  const isClosing = emergency?.is_active === true
  const body = (
    <>
      {current && <CurrentState current={current} onLeave={onClose} />}
      <Level number={1} title="Reduce only" isOn={state === 'REDUCING'}>
        <p>
          Orders that open or add to a position are blocked. Working orders that would do so are cancelled.
        </p>
        {state === 'ACTIVE' && (
          <Button kind="danger" busy={isBusy} onClick={() => change.run('REDUCING')}>
            Reduce Only
          </Button>
        )}
        {state === 'HALTED' && (
          <>
            <p>From HALTED this lets orders that reduce a position pass again, so that it can be closed.</p>
            <HoldButton verb="reduce only" busy={isBusy} onHeld={() => change.run('REDUCING')} />
          </>
        )}
      </Level>
      <Level number={2} title="Halt" isOn={state === 'HALTED'}>
        <p>
          All new orders are blocked, including closing ones. Cancels always pass; working orders that only
          reduce stay at their venue.
        </p>
        {state !== 'HALTED' && <HoldButton verb="halt" busy={isBusy} onHeld={halt} />}
      </Level>
      {emergency && (
        <Level number={3} title="Halt, cancel all and close all" isOn={isClosing}>
          <p>
            Stops every strategy, cancels every working order, closes every position at market, then halts.
          </p>
          <Venues emergency={emergency} />
          {isClosing ? (
            <Button busy={isBusy} onClick={() => changeEmergency.run('end')}>
              Stop closing
            </Button>
          ) : (
            <HoldButton verb="close all" busy={isBusy} onHeld={closeAll} />
          )}
        </Level>
      )}
    </>
  )
  return {
    body,
    halt: isBusy || state === 'HALTED' ? undefined : halt,
    closeAll: isBusy || emergency === undefined || isClosing ? undefined : closeAll,
  }
}

function CurrentState({ current, onLeave }: { current: TradingState; onLeave: () => void }) {
  return (
    <div>
      <div className={classes.states}>
        {TRADING_STATES.map((state) => (
          <span key={state} data-state={state} aria-current={state === current.state || undefined}>
            {state}
          </span>
        ))}
      </div>
      {current.state !== 'ACTIVE' && (
        <>
          <p className={classes.note}>
            {current.reason} {current.since !== null && `Since ${formatInstant(current.since)}.`} It never
            resumes by itself.
          </p>
          <p className={classes.note}>
            To resume trading, go to{' '}
            <TextLink to={paths.risk} onClick={onLeave}>
              Risk Management
            </TextLink>
            .
          </p>
        </>
      )}
    </div>
  )
}

const WILL_DO = [{ title: 'What it will do' }, ...['Orders', 'Positions', 'To close'].map(atEnd)]
const HAS_DONE = [{ title: 'What it did' }, ...['Cancelled', 'Closed', 'Left'].map(atEnd)]

function atEnd(title: string) {
  return { title, align: 'end' as const }
}

/** SHELL-105: what it did until trading is resumed; what it will do wherever it can be used. */
function Venues({ emergency }: { emergency: Emergency }) {
  const { is_active: isActive, outcome, resumed_at: resumedAt, venues } = emergency
  const isReport = isActive || (outcome !== null && resumedAt === null)
  const isAnythingOpen = venues.some(({ orders, positions }) => orders + positions > 0)
  return (
    <>
      {isReport && <Report emergency={emergency} />}
      {!isActive && (isAnythingOpen || !isReport) && <WillDo emergency={emergency} />}
    </>
  )
}

/** What was done, and what is left with its reason. */
function Report({ emergency }: { emergency: Emergency }) {
  const { is_active: isActive, started_at: startedAt, ended_at: endedAt, outcome, venues, open } = emergency
  const found = venues.filter((row) => countFound(row) + countLeft(row) > 0)
  return (
    <>
      {found.length === 0 ? (
        <p className={classes.note}>There was no working order and no open position.</p>
      ) : (
        <Table label="What it did" columns={HAS_DONE}>
          {found.map((row) => (
            <tr key={row.venue}>
              <Cell>{row.venue}</Cell>
              <Cell align="end">{Math.max(0, row.orders_at_start - row.orders_left)}</Cell>
              <Cell align="end">{Math.max(0, row.positions_at_start - row.positions_left)}</Cell>
              <Cell align="end">{countLeft(row)}</Cell>
            </tr>
          ))}
        </Table>
      )}
      <p className={classes.note}>
        {startedAt !== null && `Begun ${formatInstant(startedAt)}.`}{' '}
        {endedAt !== null && `${OUTCOMES[outcome ?? 'ended']} ${formatInstant(endedAt)}.`}
      </p>
      {isActive && open.length > 0 && (
        <ul className={classes.left} aria-label="Still open">
          {open.map(({ id, instrument, quantity, obstacle }) => (
            <li key={id}>
              <b>
                {quantity} {instrument}
              </b>
              {obstacle ?? 'Being closed.'}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function countFound({ orders_at_start: orders, positions_at_start: positions }: EmergencyVenue): number {
  return orders + positions
}

function countLeft({ orders_left: orders, positions_left: positions }: EmergencyVenue): number {
  return orders + positions
}

function WillDo({ emergency: { venues } }: { emergency: Emergency }) {
  const shown = venues.filter(({ orders, positions }) => orders + positions > 0)
  if (shown.length === 0)
    return <p className={classes.note}>There is no working order and no open position.</p>
  const sum = (value: (row: EmergencyVenue) => number) => shown.reduce((total, row) => total + value(row), 0)
  return (
    <Table label="What it will do" columns={WILL_DO}>
      {shown.map(({ venue, orders, positions, exposure }) => (
        <tr key={venue}>
          <Cell>{venue}</Cell>
          <Cell align="end">{orders}</Cell>
          <Cell align="end">{positions}</Cell>
          <Cell align="end">{formatMoney(exposure)}</Cell>
        </tr>
      ))}
      <tr className={classes.sum}>
        <Cell>Total</Cell>
        <Cell align="end">{sum((row) => row.orders)}</Cell>
        <Cell align="end">{sum((row) => row.positions)}</Cell>
        <Cell align="end">{formatMoney(sum((row) => row.exposure))}</Cell>
      </tr>
    </Table>
  )
}

/** SHELL-100: only words that do something now are offered. */
function refusalOf(words: readonly string[]): string {
  return words.length === 0 ? 'Nothing was done.' : `Nothing was done. Type ${words.join(' or ')}.`
}

interface TypedWordProps {
  /** What each word does now. */
  words: Readonly<Record<string, () => unknown>>
}

/** The way for a keyboard or a switch that cannot hold a button. */
function TypedWord({ words }: TypedWordProps) {
  const [word, setWord] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const act = words[word.trim().toUpperCase()]
    if (act === undefined) return setRefusal(refusalOf(Object.keys(words)))
    setWord('')
    setRefusal(undefined)
    act()
  }
  return (
    <form className={classes.typed} onSubmit={submit}>
      <TextField
        label={`Or type ${HALT_WORD} or ${CLOSE_WORD} and press Enter`}
        autoComplete="off"
        error={refusal}
        value={word}
        onChange={(typed) => {
          setWord(typed)
          setRefusal(undefined)
        }}
      />
      <span>Letting go early does nothing.</span>
    </form>
  )
}
