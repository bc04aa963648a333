import { useLayoutEffect } from 'react'

/** What is open somewhere, as attributes of the root element for stylesheets: data-drawer, data-order-form, data-toast. */
type RootMark = 'drawer' | 'orderForm' | 'toast'

const shown = new Map<RootMark, number>()

/**
 * Marks the root element while the caller shows something that moves other parts. `:root:has(…)` would say the same, but
 * every change of the page would then restyle all of it (STREAM-170).
 */
export function useRootMark(mark: RootMark, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return
    add(mark, 1)
    return () => add(mark, -1)
  }, [mark, isShown])
}

function add(mark: RootMark, change: 1 | -1): void {
  const { dataset } = document.documentElement
  const count = (shown.get(mark) ?? 0) + change
  shown.set(mark, count)
  if (count > 0) dataset[mark] = ''
  else delete dataset[mark]
}
