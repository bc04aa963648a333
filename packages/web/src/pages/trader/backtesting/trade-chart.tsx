import type { BacktestTrade, ChartBar as WireBar } from '@binnacle/contract'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { marketQueries } from '#data/market-data.ts'
import { formatAveragePrice, formatGain } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './trade-chart.module.css'
import { type BarInterval, marksOf, windowOf } from './trade-window.ts'

const CandleChart = lazyPart(async () => (await import('#ui/chart/candle-chart.tsx')).CandleChart)

export interface TradeChartProps {
  /** Oldest first. */
  trades: readonly BacktestTrade[]
  interval: BarInterval
  dataSet: string | undefined
}

/** BT-31: the bars around one trade, with every trade among them. */
export function TradeChart({ trades, interval, dataSet }: TradeChartProps) {
  const [nth, setNth] = useState(trades.length - 1)
  const trade = trades[nth]
  const { tradeChart } = copy
  if (trade === undefined) return null
  return (
    <Card
      title={tradeChart.title}
      aside={tradeChart.scope(nth + 1, trades.length, trade.instrument, formatDateTime(trade.opened_at))}
      actions={
        <>
          <Button
            aria-label={tradeChart.previous}
            title={tradeChart.previous}
            disabled={nth === 0}
            onClick={() => setNth(nth - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </Button>
          <Button
            aria-label={tradeChart.next}
            title={tradeChart.next}
            disabled={nth === trades.length - 1}
            onClick={() => setNth(nth + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </Button>
        </>
      }
    >
      <Bars trade={trade} trades={trades} interval={interval} dataSet={dataSet} />
    </Card>
  )
}

interface BarsProps extends TradeChartProps {
  trade: BacktestTrade
}

function Bars({ trade, trades, interval, dataSet }: BarsProps) {
  const { instrument } = trade
  const { before, limit } = windowOf(trade, interval)
  const load = useQuery(marketQueries.window({ instrument, interval, dataSet }, before, limit))
  const bars = useMemo(() => (load.data ?? []).map(toChartBar), [load.data])
  const marks = useMemo(() => marksOf(trades, instrument, formatGain), [trades, instrument])
  const { tradeChart } = copy
  if (load.isPending) return <Loading text={tradeChart.loading} lines={6} bare />
  if (load.isError) return <Notice tone="bad" title={tradeChart.failed} />
  if (bars.length === 0) return <p className={classes.none}>{tradeChart.none}</p>
  return (
    <div className={classes.chart}>
      <LazyBoundary fallback={<Loading text={tradeChart.loading} lines={6} bare />}>
        <CandleChart
          key={`${instrument} ${before}`}
          label={tradeChart.sentence(instrument, interval)}
          bars={bars}
          step={STEP}
          indicators={NOTHING}
          own={{ lines: NOTHING, marks }}
          on={{ nearStart: ignore, pick: ignore, drop: ignore }}
        />
      </LazyBoundary>
    </div>
  )
}

const STEP = { tick: 0.01, format: formatAveragePrice, isSeconds: false }
const NOTHING: readonly never[] = []

function ignore(): void {}

function toChartBar({ at, open, high, low, close, volume }: WireBar) {
  return { time: Math.round(Date.parse(at) / 1000), open, high, low, close, volume }
}
