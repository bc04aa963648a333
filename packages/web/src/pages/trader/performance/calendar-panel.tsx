import type { CalendarReturn, PerformanceReport } from '@binnacle/contract'
import { useState } from 'react'
import { formatGain, roundToZero } from '#format/money.ts'
import { formatReturn } from '#format/statistic.ts'
import { Segments } from '#ui/control/segments.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Table } from '#ui/list/table.tsx'
import { dayOfWeek, fullReturn, weeksOf } from './calendar-grid.ts'
import classes from './calendar-panel.module.css'
import { copy } from './copy.ts'

type Unit = keyof PerformanceReport['returns']
const UNITS: readonly Unit[] = ['day', 'week', 'month']

/** PERF-22: returns by day as weeks side by side, by week and by month as a row of cells. */
export function CalendarPanel({ returns }: Pick<PerformanceReport, 'returns'>) {
  const [unit, setUnit] = useState<Unit>('day')
  const { calendar: words } = copy
  const hasMarks = returns.day.some((day) => day.after_gap)
  return (
    <Card
      title={words.title}
      aside={words.percent}
      actions={
        <Segments
          label={words.unit}
          labelHidden
          value={unit}
          options={UNITS.map((value) => ({ value, label: words.units[value] }))}
          onChange={setUnit}
        />
      }
    >
      {unit === 'day' ? <DayTable days={returns.day} /> : <Cells unit={unit} returns={returns[unit]} />}
      {hasMarks && <p className={classes.legend}>{words.legend}</p>}
    </Card>
  )
}

function DayTable({ days }: { days: readonly CalendarReturn[] }) {
  const { calendar: words } = copy
  const weeks = weeksOf(days)
  const full = fullReturn(days)
  return (
    <div className={classes.days}>
      <Table
        label={`${words.unit} ${words.units.day}`}
        columns={[
          { title: words.weekday, short: '' },
          ...weeks.map(({ start }, index) => ({
            title: words.week(start),
            short: monthLabel(start, weeks[index - 1]?.start),
          })),
        ]}
      >
        {words.days.map((name, row) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {weeks.map((week) => (
              <DayCell
                key={week.start}
                name={dayOfWeek(week, row)}
                day={week.days[row]}
                isInside={isBetween(dayOfWeek(week, row), days)}
                full={full}
              />
            ))}
          </tr>
        ))}
      </Table>
    </div>
  )
}

interface DayCellProps {
  name: string
  day: CalendarReturn | undefined
  /** Between the first and the last recorded day. */
  isInside: boolean
  full: number
}

function DayCell({ name, day, isInside, full }: DayCellProps) {
  if (day === undefined) {
    return isInside ? (
      <td className={classes.missing}>
        <span className={classes.hidden}>{copy.calendar.noRecord}</span>
      </td>
    ) : (
      <td />
    )
  }
  return (
    <td title={cellText(name, day)} data-gap={day.after_gap || undefined} style={heatOf(day, full)}>
      {shortReturn(day)}
    </td>
  )
}

function Cells({ unit, returns }: { unit: 'week' | 'month'; returns: readonly CalendarReturn[] }) {
  const { calendar: words } = copy
  const full = fullReturn(returns)
  return (
    <ul className={classes.cells} aria-label={`${words.unit} ${words.units[unit]}`}>
      {returns.map((each) => {
        const name = unit === 'week' ? each.start.slice(5) : monthName(each.start)
        return (
          <li
            key={each.start}
            title={cellText(name, each)}
            data-gap={each.after_gap || undefined}
            style={heatOf(each, full)}
          >
            <span>{name}</span>
            <b>{shortReturn(each)}</b>
          </li>
        )
      })}
    </ul>
  )
}

/** At most half strong, so that the text keeps its contrast. */
const MAX_STRENGTH = 45

function heatOf({ return: change }: CalendarReturn, full: number) {
  const strength = (Math.min(1, Math.abs(change ?? 0) / full) * MAX_STRENGTH).toFixed(0)
  const fill = (change ?? 0) < 0 ? 'var(--down-fill)' : 'var(--up-fill)'
  return { background: `color-mix(in srgb, ${fill} ${strength}%, transparent)` }
}

function shortReturn({ return: change }: CalendarReturn): string {
  return change === null ? copy.none : formatReturn(change, 1).replace('%', '')
}

function cellText(name: string, { return: change, pnl, after_gap: isAfterGap }: CalendarReturn): string {
  const { calendar: words } = copy
  const text = words.cell(
    name,
    change === null ? copy.none : formatReturn(change),
    formatGain(roundToZero(pnl)),
  )
  return isAfterGap ? `${text}, ${words.afterGap}` : text
}

function isBetween(day: string, days: readonly CalendarReturn[]): boolean {
  return day > (days[0]?.start ?? '') && day < (days.at(-1)?.start ?? '')
}

/** The month above its first week. */
function monthLabel(start: string, before: string | undefined): string {
  return before?.slice(0, 7) === start.slice(0, 7)
    ? ''
    : (copy.calendar.months[Number(start.slice(5, 7)) - 1] ?? '')
}

function monthName(start: string): string {
  return `${copy.calendar.months[Number(start.slice(5, 7)) - 1]} ${start.slice(0, 4)}`
}
