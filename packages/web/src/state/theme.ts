import { getPreferences, setPreference, type Theme, type ThemeChoice, usePreferences } from './preferences.ts'
import { createStore } from './store.ts'

// The server renders without a screen (0021).
const darkPreference = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
const isSystemDark = createStore(darkPreference?.matches ?? false)
darkPreference?.addEventListener('change', ({ matches }) => isSystemDark.set(matches))

/** THEME-1: light by default; the choice is stored in this browser. */
export function useTheme(): Theme {
  const { theme } = usePreferences()
  const system = isSystemDark.use() ? 'dark' : 'light'
  return theme === 'system' ? system : theme
}

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { light: 'dark', dark: 'system', system: 'light' }

/** What the toggle switches to. */
export function useNextTheme(): ThemeChoice {
  return NEXT[usePreferences().theme]
}

export function toggleTheme(): void {
  setPreference('theme', NEXT[getPreferences().theme])
}
