import { type RefObject, useEffect } from 'react'

/**
 * STREAM-284: the columns of a long list keep the widths that the browser gave them, so that a row that comes into view
 * does not lay out the whole table again. They get new ones when the list is resized, its head changes or a row does not fit.
 */
export function useSteadyColumns(scroll: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    const table = scroll.current?.querySelector('table')
    return isOn && table ? keepColumns(table) : undefined
  }, [scroll, isOn])
}

function keepColumns(table: HTMLTableElement): () => void {
  const heads = () => [...(table.tHead?.rows[0]?.cells ?? [])]
  const changed = new Set<Element>()
  let hasClippedCells = false
  let listWidth = 0
  let frame = 0
  let isKept = true

  function fit() {
    if (!isKept) return
    release()
    const tableWidth = table.getBoundingClientRect().width
    const widths = heads().map((head) => head.getBoundingClientRect().width)
    for (const [index, head] of heads().entries()) head.style.width = `${widths[index]}px`
    table.style.width = `${tableWidth}px`
    table.style.tableLayout = 'fixed'
  }

  function release() {
    for (const { style } of [table, ...heads()]) style.removeProperty('width')
    table.style.removeProperty('table-layout')
  }

  function check() {
    frame = 0
    const rows = [...changed]
    changed.clear()
    const hasOtherHead = rows.some((row) => row.parentElement === table.tHead)
    if (!hasOtherHead && (hasClippedCells || !rows.some(hasOverflow))) return
    fit()
    // A cell that is clipped at any width would have the table laid out at every change.
    hasClippedCells = [...table.rows].some(hasOverflow)
  }

  const onChange = new MutationObserver((records) => {
    for (const { target, addedNodes } of records)
      for (const node of [target, ...addedNodes]) {
        const row = (node instanceof Element ? node : node.parentElement)?.closest('tr')
        if (row) changed.add(row)
      }
    // The timer fires once the frame is laid out, when reading widths costs little.
    frame ||= requestAnimationFrame(() => setTimeout(check))
  })
  const onResize = new ResizeObserver((entries) => {
    const width = entries.at(-1)?.contentRect.width ?? listWidth
    if (width === listWidth) return
    listWidth = width
    fit()
  })

  if (table.parentElement) onResize.observe(table.parentElement)
  onChange.observe(table, { childList: true, characterData: true, subtree: true })
  // Another font has other widths.
  void document.fonts?.ready.then(fit)
  return () => {
    isKept = false
    onResize.disconnect()
    onChange.disconnect()
    cancelAnimationFrame(frame)
    release()
  }
}

function hasOverflow(row: Element): boolean {
  return [...row.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
}
