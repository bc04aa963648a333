import { useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useState } from 'react'

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
  const close = () => setOpened('nothing')
  const open = () => setOpened('palette')
  useHotkeys([
    ['mod+K', open],
    ['shift+?', () => setOpened('shortcuts')],
    ['?', () => setOpened('shortcuts')],
  ])
  const element = (
    <Suspense fallback={null}>
      {opened === 'palette' && <Palette onClose={close} />}
      {opened === 'shortcuts' && <ShortcutList onClose={close} />}
    </Suspense>
  )
  return { open, element }
}
