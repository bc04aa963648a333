import { copy } from './copy.ts'
import { LiveOrSoon } from './live-or-soon.tsx'

export function MarketDataPage() {
  return <LiveOrSoon capability="market-data" title={copy.marketData} />
}

export function PerformancePage() {
  return <LiveOrSoon capability="performance" title={copy.performance} />
}

export function AlertsPage() {
  return <LiveOrSoon capability="alerts" title={copy.alerts} />
}

export function BacktestingPage() {
  return <LiveOrSoon capability="backtesting" title={copy.backtesting} />
}
