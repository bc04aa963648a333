import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { guardBack } from './back-guard.ts'

export interface UnsavedOptions {
  onChange?: (isUnsaved: boolean) => void
  /** Another screen was requested by a link or the browser's Back; `leave` goes there. */
  onLeave: (leave: () => void) => void
}

/** Those of the forms with unsaved input. */
const leaveConfirmations = new Set<(leave: () => void) => void>()

/** SHELL-116: goes to a screen as a link to it does, after the question of a form with unsaved input. */
export function useLeave(): (to: string) => void {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (to) => {
    const [question] = to === pathname ? [] : leaveConfirmations
    if (question === undefined) navigate(to)
    else question(() => navigate(to))
  }
}

/** BT-132: asks before a link, the palette, the browser's Back or a closed tab discards what was typed. */
export function useUnsaved(isUnsaved: boolean, { onChange, onLeave }: UnsavedOptions) {
  const { pathname, key } = useLocation()
  const navigate = useNavigate()
  const index = useRef<number>(undefined)
  const report = useEffectEvent((state: boolean) => onChange?.(state))
  const ask = useEffectEvent(onLeave)
  const onLinkClick = useEffectEvent((event: MouseEvent) => {
    const to = addressOf(event)
    if (to === undefined || to.pathname === pathname) return
    event.preventDefault()
    event.stopPropagation()
    onLeave(() => navigate(to.pathname + to.search + to.hash))
  })
  /** The browser has moved already: it returns to this screen, and the router sees neither move. */
  const onPopState = useEffectEvent((event: PopStateEvent, leave: (steps: number) => void) => {
    const steps = (entryOf(event.state).idx ?? Number.NaN) - (index.current ?? Number.NaN)
    const isHere = window.location.pathname === pathname
    if (Number.isNaN(steps) || isHere !== (steps === 0)) return
    event.stopImmediatePropagation()
    if (isHere) return
    window.history.go(-steps)
    onLeave(() => leave(steps))
  })
  useEffect(() => {
    const entry = entryOf(window.history.state)
    // Another one while the browser returns to this screen.
    if ((entry.key ?? 'default') === key) index.current = entry.idx
  }, [key])
  useEffect(() => report(isUnsaved), [isUnsaved])
  useEffect(() => {
    if (!isUnsaved) return
    const listening = new AbortController()
    const { signal } = listening
    const leave = (steps: number) => {
      listening.abort()
      window.history.go(steps)
    }
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    // Before the link itself sees it.
    document.addEventListener('click', (event) => onLinkClick(event), { signal, capture: true })
    guardBack((event) => onPopState(event, leave), signal)
    const question = (go: () => void) => ask(go)
    leaveConfirmations.add(question)
    return () => {
      listening.abort()
      leaveConfirmations.delete(question)
    }
  }, [isUnsaved])
}

interface DiscardQuestion {
  question: string
  detail: string
  action: string
  dismiss: string
  onConfirm: () => void
}

/** SHELL-113: asks before another screen discards the changes of a form. */
export function useDiscardQuestion(
  isUnsaved: boolean,
  name: string,
  ask: (question: DiscardQuestion) => void,
): (leave: () => void) => void {
  const onLeave = (leave: () => void) => ask(discardQuestion(name, leave))
  useUnsaved(isUnsaved, { onLeave })
  return (leave) => (isUnsaved ? onLeave(leave) : leave())
}

function discardQuestion(name: string, onConfirm: () => void): DiscardQuestion {
  return {
    question: `Discard the changes to ${name}?`,
    detail: 'They were not saved.',
    action: 'Discard',
    dismiss: 'Keep editing',
    onConfirm,
  }
}

/** What the router stores with each entry of the history. */
function entryOf(state: unknown): { key?: string; idx?: number } {
  return Object(state)
}

/** The address of a pressed link that opens in this tab. */
function addressOf({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): URL | undefined {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return undefined
  const to = new URL(link.href)
  return to.origin === window.location.origin ? to : undefined
}
