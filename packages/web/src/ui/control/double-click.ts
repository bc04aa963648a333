/**
 * SHELL-16: a double click acts where it began. What its first click puts under the pointer, a dialog or what lay
 * under one, does not get the second, which nobody aimed at it. Returns how to let go.
 */
export function holdDoubleClicks(page: Document): () => void {
  let began: Element | undefined
  const note = ({ detail, target }: MouseEvent) => {
    if (detail <= 1) began = controlAt(target)
  }
  const hold = (event: MouseEvent) => {
    if (event.detail <= 1 || isOneThing(began, controlAt(event.target))) return
    event.preventDefault()
    event.stopPropagation()
  }
  page.addEventListener('mousedown', note, true)
  page.addEventListener('click', hold, true)
  return () => {
    page.removeEventListener('mousedown', note, true)
    page.removeEventListener('click', hold, true)
  }
}

/** A button is one thing, whichever of its words was hit. */
function controlAt(target: EventTarget | null): Element | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest('a, button, label, summary') ?? target
}

function isOneThing(began: Element | undefined, now: Element | undefined): boolean {
  if (began === undefined || now === undefined) return true
  return began.contains(now) || now.contains(began)
}
