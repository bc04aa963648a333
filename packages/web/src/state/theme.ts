import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

const STORAGE_KEY = 'binnacle.theme'

const store = createStore<Theme>(readStored())

/** THEME-1: light by default; the choice is stored in this browser. */
export function useTheme(): Theme {
  return store.use()
}

export function toggleTheme(): void {
  const next = store.get() === 'light' ? 'dark' : 'light'
  store.set(next)
  writeStored(next)
}

function readStored(): Theme {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '') === 'dark' ? 'dark' : 'light'
  } catch {
    return 'light'
  }
}

function writeStored(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(theme))
  } catch {
    // Storage may be forbidden; the theme then lasts until the next reload.
  }
}
