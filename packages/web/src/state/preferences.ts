import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

/** THEME-4: 'system' follows the preference of the operating system. */
export type ThemeChoice = Theme | 'system'

/** What a person chose for this browser. Unknown and damaged values fall back to the defaults. */
export interface Preferences {
  theme: ThemeChoice
  rail: 'wide' | 'narrow'
  /** The colours of gains and losses, of buys and sells. */
  upDown: 'green-red' | 'blue-orange'
  /** The instruments of the watchlist, in order; undefined until it is changed. */
  watchlist: readonly string[] | undefined
  /** The chart of Market Data, as its address has it. */
  chartInterval: string
  chartIndicators: string
  /** TRD-22: whether the first steps of a new user are still shown. */
  firstSteps: 'shown' | 'hidden'
  /** TRD-60: whether Market Data was opened once. */
  hasSeenMarket: boolean
}

const STORAGE_KEY = 'binnacle.preferences'
/** Where earlier versions stored the theme (THEME-5). */
const EARLIER_THEME_KEY = 'binnacle.theme'
const DEFAULTS: Preferences = {
  theme: 'light',
  rail: 'wide',
  upDown: 'green-red',
  watchlist: undefined,
  chartInterval: '15m',
  chartIndicators: 'ema:20,ema:50,rsi:14',
  firstSteps: 'shown',
  hasSeenMarket: false,
}

const store = createStore<Preferences>(readStored())

// THEME-7: without it this tab would write its older choices over them with its next one. The server has no tabs (0021).
globalThis.addEventListener?.('storage', ({ key }) => {
  const isOurs = key === null || key === STORAGE_KEY || key === EARLIER_THEME_KEY
  if (isOurs) store.set(readStored())
})

export function usePreferences(): Preferences {
  return store.use()
}

export function getPreferences(): Preferences {
  return store.get()
}

export function toggleUpDown(): void {
  setPreference('upDown', store.get().upDown === 'green-red' ? 'blue-orange' : 'green-red')
}

export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  const next = { ...store.get(), [name]: value }
  store.set(next)
  // SHELL-173: only what was chosen, so that the page knows which parts depend on a choice before its code runs.
  const chosen = Object.entries(next).filter(([key, choice]) => choice !== DEFAULTS[key as keyof Preferences])
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(chosen)))
    // Light is not stored, and must not give way to a theme of an earlier version.
    localStorage.removeItem(EARLIER_THEME_KEY)
  } catch {
    // Storage may be forbidden; the choice then lasts until the next reload.
  }
}

function readStored(): Preferences {
  const stored = readItem(STORAGE_KEY)
  const {
    theme = readItem(EARLIER_THEME_KEY),
    rail,
    upDown,
    watchlist,
    chartInterval,
    chartIndicators,
    firstSteps,
    hasSeenMarket,
  } = Object(stored)
  return {
    theme: theme === 'dark' || theme === 'system' ? theme : DEFAULTS.theme,
    rail: rail === 'narrow' ? 'narrow' : DEFAULTS.rail,
    upDown: upDown === 'blue-orange' ? 'blue-orange' : DEFAULTS.upDown,
    watchlist: Array.isArray(watchlist) ? watchlist.filter(isText) : DEFAULTS.watchlist,
    chartInterval: isText(chartInterval) ? chartInterval : DEFAULTS.chartInterval,
    chartIndicators: isText(chartIndicators) ? chartIndicators : DEFAULTS.chartIndicators,
    firstSteps: firstSteps === 'hidden' ? 'hidden' : DEFAULTS.firstSteps,
    hasSeenMarket: hasSeenMarket === true,
  }
}

function readItem(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
