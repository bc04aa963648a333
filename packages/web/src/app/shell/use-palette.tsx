import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useRef, useState } from 'react'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'

// Loaded on first use: most visits open neither.
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)
const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList)

type Opened = 'nothing' | 'palette' | 'shortcuts'

export interface PaletteControl {
  open: () => void
  element: ReactNode
}

/** Ctrl/Cmd-K goes to any screen, '?' lists the shortcuts. */
export function usePalette(): PaletteControl {
  const [opened, setOpened] = useState<Opened>('nothing')
  const { show, close } = useFocusReturn(setOpened)
  const open = () => show('palette')
  // Also while typing, since it is no character.
  useHotkeys([['mod+K', open]], [])
  useHotkeys([
    ['shift+?', () => show('shortcuts')],
    ['?', () => show('shortcuts')],
  ])
  const element = (
    <LazyBoundary resetKey={opened} onClose={close}>
      {opened === 'palette' && <Palette onClose={close} />}
      {opened === 'shortcuts' && <ShortcutList onClose={close} />}
    </LazyBoundary>
  )
  return { open, element }
}

/** A lazy dialog mounts too late to record the focused element itself, so this restores the focus. */
function useFocusReturn(setOpened: (opened: Opened) => void) {
  const opener = useRef<Element | null>(null)
  const show = (what: Opened) => {
    opener.current = document.activeElement
    setOpened(what)
  }
  const close = () => {
    setOpened('nothing')
    const from = opener.current
    // After the dialog has unmounted and released the focus trap. SHELL-116: a question may have taken the focus by then.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    })
  }
  return { show, close }
}
