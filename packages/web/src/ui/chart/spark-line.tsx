import classes from './spark-line.module.css'

export interface SparkLineProps {
  /** Null is a gap. */
  values: readonly (number | null)[]
  /** With it the area between line and base is filled, and coloured by its side. */
  base?: number
  /** Its colour; by default that of its side of the base. */
  tone?: 'up' | 'down' | 'calm'
  /** As wide as its place, or of the size that fits a row. */
  size?: 'wide' | 'row'
}

const WIDTH = 100
const HEIGHT = 24
const MARGIN = 2

/** The history of a figure that stands beside it as text, so it is hidden from screen readers. */
export function SparkLine({ values, base, tone, size = 'wide' }: SparkLineProps) {
  const known = values.filter((value) => value !== null)
  const all = base === undefined ? known : [...known, base]
  const low = Math.min(...all)
  const span = Math.max(...all) - low
  const x = (index: number) => (values.length < 2 ? WIDTH : (index / (values.length - 1)) * WIDTH)
  const y = (value: number) =>
    span === 0 ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN)
  const runs = runsOf(values).map((run) => run.map(({ index, value }) => [x(index), y(value)] as const))
  const last = known.at(-1)
  const side = base === undefined || last === undefined ? undefined : last < base ? 'down' : 'up'
  const zero = base === undefined ? undefined : y(base)
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      data-direction={tone ?? side}
      data-size={size}
      aria-hidden
    >
      {zero !== undefined && <path className={classes.base} d={`M0 ${zero}H${WIDTH}`} />}
      {runs.map((run) => (
        <g key={run[0]?.[0]}>
          {zero !== undefined && <path className={classes.area} d={areaOf(run, zero)} />}
          <path className={classes.line} d={lineOf(run)} />
        </g>
      ))}
    </svg>
  )
}

type Place = readonly [x: number, y: number]

function lineOf(run: readonly Place[]): string {
  return run.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('')
}

function areaOf(run: readonly Place[], zero: number): string {
  const [first = [0, 0], last = [0, 0]] = [run[0], run.at(-1)]
  return `${lineOf(run)}L${last[0].toFixed(2)} ${zero}L${first[0].toFixed(2)} ${zero}Z`
}

/** The stretches without a gap. */
function runsOf(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const runs: { index: number; value: number }[][] = []
  let isBroken = true
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      if (isBroken) runs.push([])
      runs.at(-1)?.push({ index, value })
    }
    isBroken = value === null
  }
  return runs
}
