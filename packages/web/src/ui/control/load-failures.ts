/** Errors of files that did not load. A later attempt may succeed, unlike that of code that fails. */
const failures = new WeakSet<object>()

export function markLoadFailure(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.add(error)
}

export function isLoadFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failures.has(error)
}

/** In the document and without effect; the bundler requests none of them a second time. */
const failedStyles = new Set<HTMLLinkElement>()

/** Records the style sheets that do not load. Returns how it ends. */
export function watchStyles(document: Document): () => void {
  const record = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  }
  // Errors of elements do not bubble.
  document.addEventListener('error', record, { capture: true })
  return () => document.removeEventListener('error', record, { capture: true })
}

/** Rejects if one still does not load. */
export async function reloadFailedStyles(): Promise<void> {
  const failed = [...failedStyles]
  failedStyles.clear()
  await Promise.all(failed.map(reloadStyle))
}

function reloadStyle(failed: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  for (const { name, value } of failed.attributes) link.setAttribute(name, value)
  const loaded = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Could not load ${link.href}`)))
  })
  failed.replaceWith(link)
  return loaded
}
