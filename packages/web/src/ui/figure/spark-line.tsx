import classes from './spark-line.module.css'

export interface SparkLineProps {
  /** Oldest first. */
  values: readonly number[]
  tone: 'up' | 'down' | 'calm'
}

const WIDTH = 56
const HEIGHT = 22

/** The course of a figure that stands beside it; it says nothing that the figure does not. */
export function SparkLine({ values, tone }: SparkLineProps) {
  return (
    <svg className={classes.spark} data-tone={tone} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
      <polyline points={pointsOf(values)} />
    </svg>
  )
}

function pointsOf(values: readonly number[]): string {
  const low = Math.min(...values)
  const range = Math.max(...values) - low || 1
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * (WIDTH - 2) + 1
  const y = (value: number) => HEIGHT - 2 - ((value - low) / range) * (HEIGHT - 4)
  return values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
}
