import type { Desk } from '@binnacle/engine'
import type { GaugeFigure, RateCounter } from '#services/metrics/figure.ts'
import type { StreamTraffic } from './stream/stream.routes.ts'

export interface DeskMetrics {
  readonly rates: readonly RateCounter[]
  readonly gauges: readonly GaugeFigure[]
  close(): void
}

/** Counts what the desk and the stream do, and reads the desk's main figures. */
export function createDeskMetrics(desk: Desk, traffic: StreamTraffic): DeskMetrics {
  const counts = { orders: 0, fills: 0, marks: 0, trades: 0 }
  const unfollow = desk.onChange((change) => {
    if (change.kind === 'marks') counts.marks += 1
    if (change.kind !== 'views') return
    counts.orders += change.orderCount
    counts.fills += change.fillCount
  })
  const unlisten = desk.onTrades((trades) => {
    counts.trades += trades.length
  })
  return {
    rates: [
      rate('Market', 'trades', 'Trades received from the venues', () => counts.trades),
      rate('Prices', 'marks', 'Batches of new prices applied to positions and figures', () => counts.marks),
      rate('Orders', 'orders', 'Changes of orders', () => counts.orders),
      rate('Fills', 'fills', 'Fills', () => counts.fills),
      rate('Journal', 'entries', 'Entries of the journal', () => desk.views.revision),
      rate('Stream', 'frames', 'Frames sent to clients of the stream', () => traffic.frames),
    ],
    gauges: [
      gauge('stream_clients', 'Clients of the stream', () => traffic.clients),
      gauge('trading_active', '1 while trading is ACTIVE, 0 while it is REDUCING or HALTED', () =>
        desk.views.haltReason === null && desk.views.risk().tradingState === 'ACTIVE' ? 1 : 0,
      ),
      gauge('equity', 'Equity in quote currency', () => fresh(desk, () => desk.views.account().equity)),
      gauge('pnl_today', 'Result since 00:00 UTC in quote currency', () =>
        fresh(desk, () => desk.views.risk().dayResult),
      ),
      gauge('exposure', 'Gross exposure in quote currency', () =>
        fresh(desk, () => desk.views.risk().totalExposure),
      ),
      gauge('open_positions', 'Open positions', () => desk.views.risk().positionCount),
    ],
    close() {
      unfollow()
      unlisten()
    },
  }
}

/** Figures that are frozen are not reported. */
function fresh({ views }: Desk, value: () => number | null): number | null {
  return views.risk().isStale || views.haltReason !== null ? null : value()
}

function rate(name: string, counted: string, help: string, total: () => number): RateCounter {
  return {
    name,
    unit: `${counted}/s`,
    series: `rate.${counted}`,
    metric: `binnacle_${counted}_total`,
    help,
    total,
  }
}

function gauge(name: string, help: string, value: () => number | null): GaugeFigure {
  return { metric: `binnacle_${name}`, help, value }
}
