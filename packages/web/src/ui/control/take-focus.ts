/** As a ref: the element takes the focus when it appears, so that a keyboard stays where the work is. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
