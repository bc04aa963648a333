import type { ChartInterval } from '@binnacle/contract'
import { useEffect } from 'react'
import { marketDemand } from '#data/stream/market-demand.ts'
import { getPreferences, setPreference } from './preferences.ts'

/** Subscribes this tab to the market data of an instrument while the screen is open. */
export function useMarketDemand(instrument: string | undefined, interval: ChartInterval): void {
  useEffect(() => {
    if (instrument === undefined) return
    // TRD-60
    if (!getPreferences().hasSeenMarket) setPreference('hasSeenMarket', true)
    marketDemand.set({ instruments: [instrument], intervals: [interval] })
    return () => marketDemand.set(undefined)
  }, [instrument, interval])
}

/** Subscribes this tab to the server's log lines while they are shown. */
export function useLogDemand(): void {
  useEffect(() => {
    marketDemand.set({ instruments: [], intervals: [], logs: true })
    return () => marketDemand.set(undefined)
  }, [])
}
