/** A range of indices, the end excluded. */
export interface Range {
  from: number
  to: number
}

/** Bars drawn on each side of the view, at least. */
const MARGIN = 4_000

/**
 * The bars to draw around a view of them. The library rebuilds every point of a series at each change, which takes
 * longer than a frame from some ten thousand bars on. One drag moves the view by at most its
 * width, so that a margin of two widths is not passed within one.
 */
export function barsAround(view: Range, length: number): Range {
  const margin = marginOf(view)
  return {
    from: Math.max(0, Math.min(Math.floor(view.from), length) - margin),
    to: Math.min(length, Math.max(0, Math.ceil(view.to)) + margin),
  }
}

/** Whether a view comes near an end of the drawn bars beyond which there are more. */
export function isNearEnd(view: Range, drawn: Range, length: number): boolean {
  const near = marginOf(view) / 2
  return (drawn.from > 0 && view.from - drawn.from < near) || (drawn.to < length && drawn.to - view.to < near)
}

function marginOf({ from, to }: Range): number {
  return Math.max(MARGIN, Math.ceil(2 * (to - from)))
}
