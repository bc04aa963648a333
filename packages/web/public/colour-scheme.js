// Runs before the first paint so that a dark desk never flashes white; the store in state/theme.ts takes over.
try {
  if (JSON.parse(localStorage.getItem('binnacle.theme')) === 'dark') {
    document.documentElement.dataset.mantineColorScheme = 'dark'
  }
} catch {
  // No storage, or something else's value: the default stays.
}
