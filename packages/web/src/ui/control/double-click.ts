/**
 * SHELL-16: blocks the second click of a double click if the first one put another control under the pointer (a dialog,
 * what was below a dialog, another action on the same button). Returns a function that removes the listeners.
 */
export function blockStrayDoubleClicks(page: Document): () => void {
  let start: ClickTarget | undefined
  const recordStart = ({ detail, target }: MouseEvent) => {
    if (detail <= 1) start = targetAt(target)
  }
  const block = (event: MouseEvent) => {
    if (event.detail <= 1 || isSameTarget(start, targetAt(event.target))) return
    event.preventDefault()
    event.stopPropagation()
  }
  page.addEventListener('mousedown', recordStart, true)
  page.addEventListener('click', block, true)
  return () => {
    page.removeEventListener('mousedown', recordStart, true)
    page.removeEventListener('click', block, true)
  }
}

interface ClickTarget {
  control: Element
  /** The letters and digits of a button's label; a changed sort arrow is not a changed label. */
  label: string | undefined
}

/** All content of a button counts as the button. */
function targetAt(target: EventTarget | null): ClickTarget | undefined {
  if (!(target instanceof Element)) return undefined
  const button = target.closest('button')
  if (button) return { control: button, label: button.textContent.match(/[\p{L}\p{N}]+/gu)?.join(' ') }
  return { control: target.closest('a, label, summary') ?? target, label: undefined }
}

function isSameTarget(start: ClickTarget | undefined, now: ClickTarget | undefined): boolean {
  if (start === undefined || now === undefined) return true
  if (start.control === now.control) return start.label === now.label
  return start.control.contains(now.control) || now.control.contains(start.control)
}
