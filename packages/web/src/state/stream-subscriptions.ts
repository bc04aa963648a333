import type { ChartInterval } from '@binnacle/contract'
import { useEffect } from 'react'
import { tabSubscription } from '#data/stream/tab-subscription.ts'
import { getPreferences, setPreference } from './preferences.ts'

/** Subscribes this tab to the market data of an instrument while the screen is open. */
export function useMarketSubscription(instrument: string | undefined, interval: ChartInterval): void {
  useEffect(() => {
    if (instrument === undefined) return
    // TRD-60
    if (!getPreferences().hasSeenMarket) setPreference('hasSeenMarket', true)
    tabSubscription.set({ instruments: [instrument], intervals: [interval] })
    return () => tabSubscription.set(undefined)
  }, [instrument, interval])
}

/** Subscribes this tab to the server's log lines while they are shown. */
export function useLogSubscription(): void {
  useEffect(() => {
    tabSubscription.set({ instruments: [], intervals: [], logs: true })
    return () => tabSubscription.set(undefined)
  }, [])
}
