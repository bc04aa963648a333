import { createStore } from './store.ts'

/** What a person chose for this browser. Unknown and damaged values fall back to the defaults. */
export interface Preferences {
  rail: 'wide' | 'narrow'
  /** The colours of gains and losses, of buys and sells. */
  upDown: 'green-red' | 'blue-orange'
}

const STORAGE_KEY = 'binnacle.preferences'
const DEFAULTS: Preferences = { rail: 'wide', upDown: 'green-red' }

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
    const { rail, upDown } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return {
      rail: rail === 'narrow' ? 'narrow' : DEFAULTS.rail,
      upDown: upDown === 'blue-orange' ? 'blue-orange' : DEFAULTS.upDown,
    }
  } catch {
    return DEFAULTS
  }
}
