/** As a ref: focuses the element when it mounts. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
