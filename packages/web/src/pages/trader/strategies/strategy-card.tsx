import type { DeniedOrders, Promotion, Strategy } from '@binnacle/contract'
import { formatGain, roundToZero } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatTimeUtc } from '#format/time.ts'
import { Button, GoButton } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { RunBand } from './run-band.tsx'
import classes from './strategy-card.module.css'
import { canRetry, canStart, toneOfStatus } from './strategy-status.ts'

export interface StrategyCardProps {
  strategy: Strategy
  /** Being started, stopped or deleted. */
  busy: boolean
  isLive: boolean
  onStart: () => void
  onStop: () => void
  onDelete: () => void
  /** Undefined in the baseline: no Configure button. */
  onConfigure?: (() => void) | undefined
  /** Undefined in the baseline: no Clone button. */
  onClone?: (() => void) | undefined
  /** The address of its details; undefined in the baseline. */
  detailAddress?: string | undefined
  /** The run that it was promoted from, if any. */
  promotion?: Promotion | undefined
}

export function StrategyCard(props: StrategyCardProps) {
  const {
    strategy,
    busy,
    isLive,
    onStart,
    onStop,
    onDelete,
    onConfigure,
    onClone,
    detailAddress,
    promotion,
  } = props
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
        {strategy.orders_denied && <Denied {...strategy.orders_denied} />}
        <div className={classes.foot}>
          <Performance {...strategy.performance} isLive={isLive} />
          {promotion && <RunBand promotion={promotion} performance={strategy.performance} />}
          <div className={classes.actions}>
            {(canStart(strategy) || (isLive && canRetry(strategy))) && (
              <Button busy={busy} onClick={onStart}>
                {copy.start}
              </Button>
            )}
            {!canStart(strategy) && (
              <Button busy={busy} onClick={onStop}>
                {copy.stop}
              </Button>
            )}
            {onConfigure && (
              <Button busy={busy} onClick={onConfigure}>
                {copy.configure}
              </Button>
            )}
            {onClone && <Button onClick={onClone}>{copy.clone}</Button>}
            {detailAddress !== undefined && <GoButton to={detailAddress}>{copy.details}</GoButton>}
            <Button kind="danger" busy={busy} onClick={onDelete}>
              {copy.delete}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  )
}

/** STRAT-37: says why a running strategy does not trade. */
function Denied({ name, count, next_try_at }: DeniedOrders) {
  const nextTry = next_try_at === null ? null : formatTimeUtc(new Date(next_try_at))
  return <p className={classes.remark}>{copy.denied(name, count, nextTry)}</p>
}

type PerformanceProps = Strategy['performance'] & { isLive: boolean }

function Performance({ isLive, total_trades, win_rate, ...rest }: PerformanceProps) {
  const total_pnl = isLive && rest.total_pnl !== undefined ? roundToZero(rest.total_pnl) : rest.total_pnl
  return (
    <Figures columns="lead">
      <Figure
        label={copy.pnl}
        value={total_pnl === undefined ? copy.noFigure : formatGain(total_pnl)}
        {...(total_pnl !== undefined && { tone: toneOfGain(total_pnl, isLive) })}
      />
      <Figure label={copy.trades} value={total_trades ?? copy.noFigure} />
      <Figure label={copy.winRate} value={win_rate === undefined ? copy.noFigure : formatWinRate(win_rate)} />
    </Figures>
  )
}
