import { useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'

// Both arrive when first asked for: most visits never open them.
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }))

type Opened = 'nothing' | 'palette' | 'shortcuts'

export interface PaletteControl {
  open: () => void
  element: ReactNode
}

/** Ctrl/Cmd-K goes to any screen, '?' lists the shortcuts. */
export function usePalette(): PaletteControl {
  const [opened, setOpened] = useState<Opened>('nothing')
  const { show, giveBack } = useOpener(setOpened)
  const open = () => show('palette')
  useHotkeys([
    ['mod+K', open],
    ['shift+?', () => show('shortcuts')],
    ['?', () => show('shortcuts')],
  ])
  const element = (
    <Suspense fallback={null}>
      {opened === 'palette' && <Palette onClose={giveBack} />}
      {opened === 'shortcuts' && <ShortcutList onClose={giveBack} />}
    </Suspense>
  )
  return { open, element }
}

/** A dialog that arrives late cannot know who opened it, so the opener is remembered here and given focus back. */
function useOpener(setOpened: (opened: Opened) => void) {
  const opener = useRef<Element | null>(null)
  const show = (what: Opened) => {
    opener.current = document.activeElement
    setOpened(what)
  }
  const giveBack = () => {
    setOpened('nothing')
    const from = opener.current
    // The dialog lets go of focus as it leaves; only then can it be given elsewhere.
    requestAnimationFrame(() => from instanceof HTMLElement && from.focus())
  }
  return { show, giveBack }
}
