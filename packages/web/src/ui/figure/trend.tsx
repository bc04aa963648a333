import classes from './trend.module.css'

export interface TrendPoint {
  /** In seconds since 1970. */
  at: number
  value: number
}

export interface TrendProps {
  /** A sentence that says what is drawn. */
  label: string
  points: readonly TrendPoint[]
  range: { from: number; to: number }
  /** Points further apart than this have a gap between them. */
  gapS: number
  format: (value: number) => string
  /** The lowest value of the axis; without it the axis begins near the lowest point. */
  base?: number
  height?: 'low' | 'high'
}

const WIDTH = 100
const HEIGHT = 100

/** The history of a figure with three values of its axis at the right and three times below. */
export function Trend({ label, points, range, gapS, format, base, height = 'low' }: TrendProps) {
  const axis = axisOf(points, base)
  const x = (at: number) => ((at - range.from) / (range.to - range.from)) * WIDTH
  const y = (value: number) => HEIGHT - ((value - axis.low) / (axis.high - axis.low)) * HEIGHT
  const marks = [axis.high, (axis.high + axis.low) / 2, axis.low]
  const times = [range.from, (range.from + range.to) / 2, range.to]
  return (
    <figure className={classes.trend} data-height={height} aria-label={label}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {marks.map((mark) => (
          <path key={mark} className={classes.grid} d={`M0 ${y(mark)}H${WIDTH}`} />
        ))}
        {runsOf(points, gapS).map((run) => {
          const line = run.map(({ at, value }) => `${x(at).toFixed(2)} ${y(value).toFixed(2)}`).join('L')
          const [first, last] = [run[0], run.at(-1)]
          return (
            <g key={first?.at}>
              <path
                className={classes.area}
                d={`M${x(first?.at ?? 0)} ${HEIGHT}L${line}L${x(last?.at ?? 0)} ${HEIGHT}Z`}
              />
              <path className={classes.line} d={`M${line}`} />
            </g>
          )
        })}
      </svg>
      <ol className={classes.axis} aria-hidden>
        {marks.map((mark) => (
          <li key={mark}>{format(mark)}</li>
        ))}
      </ol>
      <ol className={classes.times} aria-hidden>
        {times.map((time) => (
          <li key={time}>{timeText(time, range)}</li>
        ))}
      </ol>
    </figure>
  )
}

/** Round bounds around all points; never of height zero. */
function axisOf(points: readonly TrendPoint[], base: number | undefined): { low: number; high: number } {
  const values = points.map(({ value }) => value)
  const highest = Math.max(...values, base ?? Number.NEGATIVE_INFINITY)
  const lowest = base ?? Math.min(...values)
  if (!Number.isFinite(highest) || !Number.isFinite(lowest)) return { low: 0, high: 1 }
  const step = roundStep((highest - lowest || Math.abs(highest) || 1) / 2)
  const low = base ?? Math.floor(lowest / step) * step
  const high = low + 2 * step * Math.max(1, Math.ceil((highest - low) / (2 * step)))
  return { low, high }
}

/** The next of 1, 2, 2.5, 5 times a power of ten. */
function roundStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span))
  return ([1, 2, 2.5, 5].find((factor) => factor * power >= span) ?? 10) * power
}

function runsOf(points: readonly TrendPoint[], gapS: number): TrendPoint[][] {
  const runs: TrendPoint[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const point of points) {
    if (point.at - last > gapS) runs.push([])
    runs.at(-1)?.push(point)
    last = point.at
  }
  return runs
}

const DAY_S = 86_400

/** The day where the range has several. */
function timeText(at: number, { from, to }: TrendProps['range']): string {
  const text = new Date(at * 1000).toISOString()
  return to - from > 2 * DAY_S ? text.slice(5, 10) : text.slice(11, 16)
}
