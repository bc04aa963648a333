import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

export interface UnsavedOptions {
  onChange: (isUnsaved: boolean) => void
  /** A link to another screen was pressed; `leave` follows it. */
  onLeave: (leave: () => void) => void
}

/** BT-132: asks before a link or a closed tab discards what was typed. The browser's Back and the palette do not ask. */
export function useUnsaved(isUnsaved: boolean, { onChange, onLeave }: UnsavedOptions) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const report = useEffectEvent(onChange)
  const press = useEffectEvent((event: MouseEvent) => {
    const to = addressOf(event)
    if (to === undefined || to.pathname === pathname) return
    event.preventDefault()
    event.stopPropagation()
    onLeave(() => navigate(to.pathname + to.search + to.hash))
  })
  useEffect(() => report(isUnsaved), [isUnsaved])
  useEffect(() => {
    if (!isUnsaved) return
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    // Before the link itself sees it.
    document.addEventListener('click', (event) => press(event), { signal, capture: true })
    return () => listening.abort()
  }, [isUnsaved])
}

/** The address of a pressed link that opens in this tab. */
function addressOf({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): URL | undefined {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return undefined
  const to = new URL(link.href)
  return to.origin === window.location.origin ? to : undefined
}
