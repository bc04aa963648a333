// Runs before the first paint so that a dark desk never flashes white; app/providers.tsx takes over.
try {
  const stored = Object(JSON.parse(localStorage.getItem('binnacle.preferences')))
  const chosen = stored.theme ?? JSON.parse(localStorage.getItem('binnacle.theme'))
  const isSystemDark = chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches
  if (chosen === 'dark' || isSystemDark) {
    document.documentElement.dataset.mantineColorScheme = 'dark'
  }
  if (stored.upDown === 'blue-orange') document.documentElement.dataset.upDown = stored.upDown
  if (stored.rail === 'narrow') document.documentElement.dataset.rail = stored.rail
  // SHELL-173: the server does not know what was chosen here; base.css hides what depends on it.
  document.documentElement.dataset.chosen = [chosen && 'theme', ...Object.keys(stored)].join(' ')
} catch {
  // No storage, or something else's value: the default stays.
}
