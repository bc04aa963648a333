import type { TradingState } from '@binnacle/contract'
import { IconAlertOctagon, IconCheck, IconMinus } from '@tabler/icons-react'
import { useEngineSummary } from '#data/engine.ts'
import { useTradingState } from '#data/trading-state.ts'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import { ConnectionState } from './connection-state.tsx'
import classes from './state-strip.module.css'

const SIGNS = {
  ACTIVE: { tone: 'good', Sign: IconCheck },
  REDUCING: { tone: 'warn', Sign: IconMinus },
  HALTED: { tone: 'bad', Sign: IconAlertOctagon },
} as const satisfies Record<TradingState['state'], { tone: Tone; Sign: unknown }>

/** SHELL-35: engine, trader, trading state, venues and connection, on every screen. */
export function StateStrip() {
  const engine = useEngineSummary()
  const trading = useTradingState()
  const sign = trading && SIGNS[trading.state]
  return (
    <div className={classes.strip}>
      {engine && (
        <span className={classes.engine} data-tone={engine.isRunning ? 'good' : 'bad'}>
          <i className={classes.dot} aria-hidden />
          {engine.isRunning ? 'Live' : 'Stopped'}
        </span>
      )}
      {engine && <span className={classes.wide}>{engine.traderId}</span>}
      {trading && sign && (
        <b className={tones[sign.tone]} data-tone={sign.tone}>
          <sign.Sign size={14} stroke={2} aria-hidden />
          {trading.state}
        </b>
      )}
      {engine?.hasSimulatedVenues && <span className={classes.venues}>Simulated venues</span>}
      {engine?.isPaper && <span className={classes.venues}>Paper account</span>}
      <ConnectionState />
    </div>
  )
}
