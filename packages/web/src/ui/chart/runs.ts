/** The stretches of points without a gap; points further apart than this have one between them. */
export function runsOf<Point extends { readonly at: number }>(
  points: readonly Point[],
  gapS: number,
): Point[][] {
  const runs: Point[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const point of points) {
    if (runs.length === 0 || point.at - last > gapS) runs.push([])
    runs.at(-1)?.push(point)
    last = point.at
  }
  return runs
}
