/** Starts a browser download. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // Some browsers read the address only after this call has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
}

const REVOKE_AFTER_MS = 60_000
