import { formatGain } from '#format/money.ts'
import { copy } from './copy.ts'
import classes from './result-bars.module.css'
import type { ResultBin } from './run-figures.ts'

export interface ResultBarsProps {
  bins: readonly ResultBin[]
  won: number
  lost: number
  total: number
}

const WIDTH = 240
const HEIGHT = 96

/** BT-21: losses left of the line, gains right of it. */
export function ResultBars({ bins, won, lost, total }: ResultBarsProps) {
  const [first, last] = [bins[0], bins.at(-1)]
  if (first === undefined || last === undefined) return <p className={classes.none}>{copy.results.none}</p>
  const step = WIDTH / bins.length
  const most = Math.max(...bins.map(({ count }) => count))
  const zero = bins.filter(({ to }) => to <= 0).length * step
  const height = (count: number) => (count / most) * (HEIGHT - 4)
  return (
    <figure
      className={classes.figure}
      aria-label={copy.results.sentence(total, formatGain(first.from), formatGain(last.to))}
    >
      <figcaption className={classes.counts}>
        <span data-tone="down">{copy.results.lost(lost)}</span>
        <span data-tone="up">{copy.results.won(won)}</span>
      </figcaption>
      <svg className={classes.bars} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {bins.map(({ from, count }, index) => (
          <rect
            key={from}
            data-tone={from < 0 ? 'down' : 'up'}
            x={index * step + 0.5}
            y={HEIGHT - height(count)}
            width={step - 1}
            height={height(count)}
          />
        ))}
        <line x1={zero} x2={zero} y1={0} y2={HEIGHT} />
      </svg>
      <p className={classes.axis}>
        <span>{formatGain(first.from)}</span>
        <span>{formatGain(last.to)}</span>
      </p>
    </figure>
  )
}
