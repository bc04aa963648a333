export function median(figures: readonly number[]): number {
  return percentile(figures, 50)
}

/** The figure that so many percent of the figures do not exceed. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const index = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))
  const figure = sorted[index]
  if (figure === undefined) throw new RangeError('there is no percentile of nothing')
  return figure
}

export interface Limit {
  what: string
  figure: number
  limit: number
  /** Whether the figure must not be above the limit, or not below it. */
  must: 'not exceed' | 'reach'
}

/** Prints each figure beside its limit and sets the exit code when one is not kept. */
export function conclude(limits: readonly Limit[]): void {
  console.table(
    Object.fromEntries(
      limits.map(({ what, figure, limit, must }) => [
        what,
        {
          figure: rounded(figure),
          limit: `${must === 'reach' ? '≥' : '≤'} ${limit}`,
          met: isMet(figure, limit, must),
        },
      ]),
    ),
  )
  if (!limits.every(({ figure, limit, must }) => isMet(figure, limit, must))) process.exitCode = 1
}

function isMet(figure: number, limit: number, must: Limit['must']): boolean {
  return must === 'reach' ? figure >= limit : figure <= limit
}

export function rounded(figure: number): number {
  return Number(figure.toPrecision(4))
}

/** The slope of the line of least squares, per sample. */
export function slopeOf(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  const rise = figures.reduce((sum, figure, index) => sum + (index - middle) * (figure - mean), 0)
  return rise / figures.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}
