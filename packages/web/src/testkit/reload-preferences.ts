/** What is stored in the browser is read again, as at a reload of the page. */
export function reloadPreferences(): void {
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
}
