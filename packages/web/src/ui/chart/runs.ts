/**
 * The stretches of points without a gap; points further apart than this have one between them.
 * The library fails on times that do not rise, so of points at one time the last counts, and one that falls back is
 * left out.
 */
export function runsOf<Point extends { readonly at: number }>(
  points: readonly Point[],
  gapS: number,
): Point[][] {
  const runs: Point[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const point of points) {
    if (point.at < last) continue
    if (point.at === last) runs.at(-1)?.pop()
    else if (runs.length === 0 || point.at - last > gapS) runs.push([])
    runs.at(-1)?.push(point)
    last = point.at
  }
  return runs
}
