import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

/** THEME-4: 'system' follows the preference of the operating system. */
export type ThemeChoice = Theme | 'system'

const STORAGE_KEY = 'binnacle.theme'

const choice = createStore<ThemeChoice>(readStored())

const darkPreference = window.matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = createStore(darkPreference.matches)
darkPreference.addEventListener('change', ({ matches }) => isSystemDark.set(matches))

/** THEME-1: light by default; the choice is stored in this browser. */
export function useTheme(): Theme {
  const chosen = choice.use()
  const system = isSystemDark.use() ? 'dark' : 'light'
  return chosen === 'system' ? system : chosen
}

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { light: 'dark', dark: 'system', system: 'light' }

/** What the toggle switches to. */
export function useNextTheme(): ThemeChoice {
  return NEXT[choice.use()]
}

export function toggleTheme(): void {
  const next = NEXT[choice.get()]
  choice.set(next)
  writeStored(next)
}

function readStored(): ThemeChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')
    return stored === 'dark' || stored === 'system' ? stored : 'light'
  } catch {
    return 'light'
  }
}

function writeStored(theme: ThemeChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(theme))
  } catch {
    // Storage may be forbidden; the theme then lasts until the next reload.
  }
}
