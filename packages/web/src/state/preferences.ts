import { createStore } from './store.ts'

/** What a person chose for this browser. Unknown and damaged values fall back to the defaults. */
export interface Preferences {
  rail: 'wide' | 'narrow'
  /** The colours of gains and losses, of buys and sells. */
  upDown: 'green-red' | 'blue-orange'
  /** The instruments of the watchlist, in order; undefined until it is changed. */
  watchlist: readonly string[] | undefined
  /** The chart of Market Data, as its address has it. */
  chartInterval: string
  chartIndicators: string
}

const STORAGE_KEY = 'binnacle.preferences'
const DEFAULTS: Preferences = {
  rail: 'wide',
  upDown: 'green-red',
  watchlist: undefined,
  chartInterval: '15m',
  chartIndicators: 'ema:20,ema:50,rsi:14',
}

const store = createStore<Preferences>(readStored())

export function usePreferences(): Preferences {
  return store.use()
}

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  const next = { ...store.get(), [name]: value }
  store.set(next)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  } catch {
    // Storage may be forbidden; the choice then lasts until the next reload.
  }
}

function readStored(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    const { rail, upDown, watchlist, chartInterval, chartIndicators } = stored
    return {
      rail: rail === 'narrow' ? 'narrow' : DEFAULTS.rail,
      upDown: upDown === 'blue-orange' ? 'blue-orange' : DEFAULTS.upDown,
      watchlist: Array.isArray(watchlist) ? watchlist.filter(isText) : DEFAULTS.watchlist,
      chartInterval: isText(chartInterval) ? chartInterval : DEFAULTS.chartInterval,
      chartIndicators: isText(chartIndicators) ? chartIndicators : DEFAULTS.chartIndicators,
    }
  } catch {
    return DEFAULTS
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
