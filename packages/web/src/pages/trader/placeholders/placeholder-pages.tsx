import { paths } from '#paths.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Screen } from '#ui/screen.tsx'

export function MarketDataPage() {
  return <Placeholder title="Market Data" />
}

export function PerformancePage() {
  return <Placeholder title="Performance Analytics" />
}

export function AlertsPage() {
  return <Placeholder title="Alerts & Notifications" />
}

export function BacktestingPage() {
  return <Placeholder title="Backtesting" />
}

function Placeholder({ title }: { title: string }) {
  return (
    <Screen title={title} back={{ to: paths.trader, label: 'Back' }}>
      <EmptyState title={`${title} coming soon`} />
    </Screen>
  )
}
