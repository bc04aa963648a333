// Runs before the first paint so that a dark desk never flashes white; the store in state/theme.ts takes over.
try {
  const chosen = JSON.parse(localStorage.getItem('binnacle.theme'))
  const isSystemDark = chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches
  if (chosen === 'dark' || isSystemDark) {
    document.documentElement.dataset.mantineColorScheme = 'dark'
  }
} catch {
  // No storage, or something else's value: the default stays.
}
