import { formatReturn } from '#format/statistic.ts'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import classes from './month-table.module.css'
import { extremesOf, type YearReturns } from './run-figures.ts'

export interface MonthTableProps {
  years: readonly YearReturns[]
}

const COLUMNS = [copy.months.percent, ...copy.months.names, copy.months.year].map((title) => ({ title }))

/** The colour of a cell is full at this return. */
const FULL_RETURN = 0.05
/** At most half strong, so that the text keeps its contrast. */
const MAX_STRENGTH = 45

/** BT-20 */
export function MonthTable({ years }: MonthTableProps) {
  const { months } = copy
  const extremes = extremesOf(years)
  return (
    <>
      <div className={classes.months}>
        <Table label={months.title} columns={COLUMNS}>
          {years.map(({ year, months: values, total }) => (
            <tr key={year}>
              <th scope="row">{year}</th>
              {months.names.map((name, index) => (
                <MonthCell key={name} value={values[index]} />
              ))}
              <td>
                <ToneText tone={total < 0 ? 'bad' : 'good'}>{formatReturn(total)}</ToneText>
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {extremes && (
        <p className={classes.foot}>
          {months.best} <b>{formatReturn(extremes.best)}</b> {months.worst}{' '}
          <b>{formatReturn(extremes.worst)}</b>
        </p>
      )}
    </>
  )
}

function MonthCell({ value }: { value: number | undefined }) {
  if (value === undefined) return <td className={classes.empty}>{copy.months.noMonth}</td>
  const strength = Math.min(1, Math.abs(value) / FULL_RETURN) * MAX_STRENGTH
  const fill = value < 0 ? 'var(--down-fill)' : 'var(--up-fill)'
  return (
    <td style={{ background: `color-mix(in srgb, ${fill} ${strength.toFixed(0)}%, transparent)` }}>
      {formatReturn(value).replace('%', '')}
    </td>
  )
}
