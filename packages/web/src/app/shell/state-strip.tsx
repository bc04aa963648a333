import type { TradingState } from '@binnacle/contract'
import { IconAlertOctagon, IconCheck, IconMinus } from '@tabler/icons-react'
import { useEngineSummary } from '#data/engine.ts'
import { useEngines } from '#data/engines.ts'
import { useTradingState } from '#data/trading-state.ts'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import { ConnectionState, useConnectionTone } from './connection-state.tsx'
import classes from './state-strip.module.css'

const SIGNS = {
  ACTIVE: { tone: 'good', Sign: IconCheck },
  REDUCING: { tone: 'warn', Sign: IconMinus },
  HALTED: { tone: 'bad', Sign: IconAlertOctagon },
} as const satisfies Record<TradingState['state'], { tone: Tone; Sign: unknown }>

/** SET-46 */
const SIMULATED = 'No order reaches a real exchange: every connected venue is a simulated market.'

/** SHELL-35: engine, trader, trading state, venues and connection, on every screen. SHELL-53: grey while they may be old. */
export function StateStrip() {
  const engine = useEngineSummary()
  const trading = useTradingState()
  const sign = trading && SIGNS[trading.state]
  // The choice beside it names the engine.
  const isNamed = useEngines().length > 1
  const isCurrent = useConnectionTone() !== 'bad'
  const isReadOnly = engine?.isRunning && engine.readOnlyBecause !== undefined
  const engineTone = isReadOnly ? 'warn' : engine?.isRunning ? 'good' : 'bad'
  const stateTone = isCurrent ? sign?.tone : 'calm'
  return (
    <div className={classes.strip}>
      {engine && (
        <span className={classes.engine} data-tone={isCurrent ? engineTone : 'calm'}>
          <i className={classes.dot} aria-hidden />
          {isReadOnly ? 'Read only' : engine.isRunning ? 'Live' : 'Stopped'}
        </span>
      )}
      {engine && !isNamed && <span className={classes.wide}>{engine.traderId}</span>}
      {trading && sign && stateTone && (
        <b className={tones[stateTone]} data-tone={stateTone}>
          <sign.Sign size={14} stroke={2} aria-hidden />
          {trading.state}
        </b>
      )}
      {engine?.hasSimulatedVenues && (
        <span className={classes.venues} title={SIMULATED}>
          Simulated venues
        </span>
      )}
      {engine?.isPaper && <span className={classes.venues}>Paper account</span>}
      <ConnectionState />
    </div>
  )
}
