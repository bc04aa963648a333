/**
 * SHELL-16: a double click acts where it began. What its first click puts under the pointer, a dialog, what lay under
 * one or another act on the same button, does not get the second, which nobody aimed at it. Returns how to let go.
 */
export function holdDoubleClicks(page: Document): () => void {
  let began: Aim | undefined
  const note = ({ detail, target }: MouseEvent) => {
    if (detail <= 1) began = aimAt(target)
  }
  const hold = (event: MouseEvent) => {
    if (event.detail <= 1 || isOneAim(began, aimAt(event.target))) return
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

interface Aim {
  control: Element
  /** What a button promised to do; an arrow that turns over is no other promise. */
  words: string | undefined
}

/** A button is one thing, whichever of its words was hit. */
function aimAt(target: EventTarget | null): Aim | undefined {
  if (!(target instanceof Element)) return undefined
  const button = target.closest('button')
  if (button) return { control: button, words: button.textContent.match(/[\p{L}\p{N}]+/gu)?.join(' ') }
  return { control: target.closest('a, label, summary') ?? target, words: undefined }
}

function isOneAim(began: Aim | undefined, now: Aim | undefined): boolean {
  if (began === undefined || now === undefined) return true
  if (began.control === now.control) return began.words === now.words
  return began.control.contains(now.control) || now.control.contains(began.control)
}
