/** A range of indices, the end excluded. */
export interface IndexRange {
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
export function rangeToDraw(view: IndexRange, length: number): IndexRange {
  const margin = marginOf(view)
  return {
    from: Math.max(0, Math.min(Math.floor(view.from), length) - margin),
    to: Math.min(length, Math.max(0, Math.ceil(view.to)) + margin),
  }
}

/** Whether a view comes near the first or last drawn bar while there are more beyond it. */
export function isNearEdge(view: IndexRange, drawn: IndexRange, length: number): boolean {
  const near = marginOf(view) / 2
  return (drawn.from > 0 && view.from - drawn.from < near) || (drawn.to < length && drawn.to - view.to < near)
}

function marginOf({ from, to }: IndexRange): number {
  return Math.max(MARGIN, Math.ceil(2 * (to - from)))
}
