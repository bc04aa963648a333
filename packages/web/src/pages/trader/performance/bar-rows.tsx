import { formatGain, roundToZero } from '#format/money.ts'
import { toneOfGain, toneText } from '#ui/look/tone.ts'
import classes from './bar-rows.module.css'
import { copy } from './copy.ts'

export interface BarRow {
  name: string
  /** Null where it is not known. */
  amount: number | null
}

export interface BarRowsProps {
  label: string
  rows: readonly BarRow[]
}

/** Names with their amounts; the bars begin at a zero line that all rows share. */
export function BarRows({ label, rows }: BarRowsProps) {
  const amounts = rows.map(({ amount }) => amount ?? 0)
  const high = Math.max(0, ...amounts)
  const low = Math.min(0, ...amounts)
  const scale = 100 / (high - low || 1)
  return (
    <ul className={classes.rows} aria-label={label}>
      {rows.map(({ name, amount }) => {
        const shown = roundToZero(amount ?? 0)
        return (
          <li key={name}>
            <span className={classes.name}>{name}</span>
            <span className={classes.bar} aria-hidden>
              <i
                data-side={shown < 0 ? 'down' : 'up'}
                style={{
                  left: `${(Math.min(shown, 0) - low) * scale}%`,
                  width: `${Math.abs(shown) * scale}%`,
                }}
              />
            </span>
            <span className={classes.amount} style={{ color: toneText(toneOfGain(shown, true)) }}>
              {amount === null ? copy.none : formatGain(shown)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
