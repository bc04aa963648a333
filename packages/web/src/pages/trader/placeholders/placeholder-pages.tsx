import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { paths } from '#paths.ts'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'

/** Until the backend is known, and in the baseline; `live` is the screen itself. */
export function MarketDataPlaceholder({ live }: Pick<CapabilityPageProps, 'live'>) {
  return <CapabilityPage capability="market-data" title={copy.marketData} live={live} />
}

export function PerformancePlaceholder({ live }: Pick<CapabilityPageProps, 'live'>) {
  return <CapabilityPage capability="performance" title={copy.performance} live={live} />
}

export function AlertsPlaceholder({ live }: Pick<CapabilityPageProps, 'live'>) {
  return <CapabilityPage capability="alerts" title={copy.alerts} live={live} />
}

export function BacktestingPlaceholder({ live }: Pick<CapabilityPageProps, 'live'>) {
  return <CapabilityPage capability="backtesting" title={copy.backtesting} live={live} />
}

export interface CapabilityPageProps {
  capability: Capability
  title: string
  /** The live page, once it is built. */
  live?: ReactNode
}

/** SOON-3: the live page if the backend offers the capability; 'coming soon' only in the baseline (CAP-16). */
export function CapabilityPage({ capability, title, live }: CapabilityPageProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, capability)
  if (isOffered && live !== undefined) return live
  return (
    <Screen title={title} back={{ to: paths.trader, label: copy.back }}>
      {backend === undefined && (
        <Notice tone="calm" title={copy.unknown.title}>
          {copy.unknown.text}
        </Notice>
      )}
      {backend?.kind === 'baseline' && <EmptyState title={copy.soon(title)} />}
      {backend?.kind === 'live' && !isOffered && <EmptyState title={copy.notOffered} />}
      {isOffered && (
        <Notice tone="calm" title={copy.notShown.title(title)}>
          {copy.notShown.text}
        </Notice>
      )}
    </Screen>
  )
}
