import type { Strategy } from '@binnacle/contract'
import { formatGain } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import classes from './strategy-card.module.css'
import { canStart, toneOfStatus } from './strategy-status.ts'

export interface StrategyCardProps {
  strategy: Strategy
  /** Being started, stopped or deleted. */
  busy: boolean
  onStart: () => void
  onStop: () => void
  onDelete: () => void
  /** Without it there is nothing to configure, as in the baseline. */
  onConfigure?: (() => void) | undefined
}

export function StrategyCard({ strategy, busy, onStart, onStop, onDelete, onConfigure }: StrategyCardProps) {
  return (
    <Card
      title={strategy.name}
      isFilled
      actions={
        <Badge tone={toneOfStatus(strategy.status)} dot>
          {strategy.status}
        </Badge>
      }
    >
      <div className={classes.body}>
        <p className={classes.type}>{strategy.type}</p>
        <p className={classes.description}>{strategy.description || copy.noDescription}</p>
        {strategy.reason && <p className={classes.remark}>{strategy.reason}</p>}
        {strategy.note && <p className={classes.remark}>{strategy.note}</p>}
        <div className={classes.foot}>
          <Performance {...strategy.performance} />
          <div className={classes.actions}>
            {canStart(strategy) ? (
              <Button busy={busy} onClick={onStart}>
                {copy.start}
              </Button>
            ) : (
              <Button busy={busy} onClick={onStop}>
                {copy.stop}
              </Button>
            )}
            {onConfigure && (
              <Button busy={busy} onClick={onConfigure}>
                {copy.configure}
              </Button>
            )}
            <Button kind="danger" busy={busy} onClick={onDelete}>
              {copy.delete}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  )
}

function Performance({ total_pnl, total_trades, win_rate }: Strategy['performance']) {
  return (
    <Figures columns="lead">
      <Figure
        label={copy.pnl}
        value={total_pnl === undefined ? copy.noFigure : formatGain(total_pnl)}
        {...(total_pnl !== undefined && { tone: toneOfGain(total_pnl) })}
      />
      <Figure label={copy.trades} value={total_trades ?? copy.noFigure} />
      <Figure label={copy.winRate} value={win_rate === undefined ? copy.noFigure : formatWinRate(win_rate)} />
    </Figures>
  )
}
