import { TRADING_STATES, type TradingState } from '@binnacle/contract'
import { IconAlertOctagon } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useChangeTradingState, useTradingState } from '#data/trading-state.ts'
import { formatInstant } from '#format/time.ts'
import { tradingStateFailures } from '#state/trading-state-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { HoldButton } from '#ui/control/hold-button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Drawer } from '#ui/frame/drawer.tsx'
import classes from './emergency-drawer.module.css'

export interface EmergencyDrawerProps {
  onClose: () => void
}

const HALT_WORD = 'HALT'

/** SHELL-37: the levels of design.md 5, each a deliberate act. Nothing here resumes trading. */
export function EmergencyDrawer({ onClose }: EmergencyDrawerProps) {
  const current = useTradingState()
  const change = useChangeTradingState(tradingStateFailures)
  const state = current?.state
  const halt = () => change.run('HALTED')
  return (
    <Drawer
      title="Emergency control"
      icon={<IconAlertOctagon size={18} stroke={1.5} className={classes.sign} aria-hidden />}
      footer={<TypedWord isDisabled={change.isPending || state === 'HALTED'} onHalt={halt} />}
      onClose={onClose}
    >
      {current && <CurrentState current={current} />}
      <Level number={1} title="Reduce only" isOn={state === 'REDUCING'}>
        <p>
          Orders that open or add to a position are blocked. Working orders that would do so are cancelled.
        </p>
        {state === 'ACTIVE' && (
          <Button kind="danger" busy={change.isPending} onClick={() => change.run('REDUCING')}>
            Reduce Only
          </Button>
        )}
      </Level>
      <Level number={2} title="Halt" isOn={state === 'HALTED'}>
        <p>
          All new orders are blocked, including closing ones. Cancels always pass; working orders that only
          reduce stay at their venue.
        </p>
        {state !== 'HALTED' && <HoldButton verb="halt" busy={change.isPending} onHeld={halt} />}
      </Level>
    </Drawer>
  )
}

function CurrentState({ current }: { current: TradingState }) {
  return (
    <div>
      <div className={classes.states}>
        {TRADING_STATES.map((state) => (
          <span key={state} data-state={state} aria-current={state === current.state || undefined}>
            {state}
          </span>
        ))}
      </div>
      <p className={classes.note}>
        {current.reason} {current.since !== null && `Since ${formatInstant(current.since)}.`} It never resumes
        by itself.
      </p>
    </div>
  )
}

interface LevelProps {
  number: number
  title: string
  isOn: boolean
  children: ReactNode
}

function Level({ number, title, isOn, children }: LevelProps) {
  return (
    <section className={classes.level} aria-label={title}>
      <h3>
        <span className={classes.number}>{number}</span>
        {title}
        {isOn && <Badge tone={number === 1 ? 'warn' : 'bad'}>on</Badge>}
      </h3>
      {children}
    </section>
  )
}

interface TypedWordProps {
  isDisabled: boolean
  onHalt: () => void
}

/** The way for a keyboard or a switch that cannot hold a button. */
function TypedWord({ isDisabled, onHalt }: TypedWordProps) {
  const [word, setWord] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDisabled || word.trim().toUpperCase() !== HALT_WORD) return
    setWord('')
    onHalt()
  }
  return (
    <form className={classes.typed} onSubmit={submit}>
      <TextField
        label={`Or type ${HALT_WORD} and press Enter`}
        autoComplete="off"
        value={word}
        onChange={setWord}
      />
      <span>Letting go early does nothing.</span>
    </form>
  )
}
