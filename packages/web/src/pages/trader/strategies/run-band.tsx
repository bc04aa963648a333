import type { Promotion, Strategy } from '@binnacle/contract'
import { useMemo } from 'react'
import { bandAfter } from '#data/resample.ts'
import { formatGain } from '#format/money.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { copy } from './copy.ts'
import classes from './strategy-card.module.css'

export interface RunBandProps {
  promotion: Promotion
  performance: Strategy['performance']
}

/** BT-34: an open position counts as a trade, since its P&L is part of the figure. */
export function RunBand({ promotion: { backtest, results }, performance }: RunBandProps) {
  const { total_pnl: pnl, total_trades: closed = 0, open_positions: open = 0 } = performance
  const trades = closed + open
  const band = useMemo(() => bandAfter(results, trades), [results, trades])
  const { band: words } = copy
  const isOutside = band !== undefined && pnl !== undefined && (pnl < band.low || pnl > band.high)
  return (
    <p className={classes.band}>
      <TextLink to={`${paths.backtesting}?run=${backtest}`}>{words.run(String(backtest))}</TextLink>
      {band === undefined || trades === 0 ? (
        <span>{words.waiting}</span>
      ) : (
        <>
          <span>{words.expected(trades, formatGain(band.low), formatGain(band.high))}</span>
          <Badge tone={isOutside ? 'warn' : 'good'}>{isOutside ? words.outside : words.inside}</Badge>
        </>
      )}
    </p>
  )
}
