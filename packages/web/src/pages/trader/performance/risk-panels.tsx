import {
  CORRELATION_DAYS_MIN,
  LOSS_DAYS_MIN,
  type LossEstimate,
  type PerformanceRisk,
} from '@binnacle/contract'
import { formatMoney } from '#format/money.ts'
import { formatRatio } from '#format/statistic.ts'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { BarRows } from './bar-rows.tsx'
import { copy } from './copy.ts'
import classes from './risk-panels.module.css'

const { columns } = copy.losses
const COLUMNS = [
  { title: columns.method },
  { title: columns.valueAtRisk, align: 'end' },
  { title: columns.shortfall, align: 'end' },
  { title: columns.test, align: 'end' },
] as const
const METHODS: Readonly<Record<string, string>> = copy.losses.methods

/** PERF-14 */
export function LossPanel({ losses, days }: Pick<PerformanceRisk, 'losses' | 'days'>) {
  const { losses: words } = copy
  const amount = (value: number | null) => (value === null ? copy.none : formatMoney(value))
  return (
    <Card title={words.title} aside={words.days(days)}>
      <Table label={words.title} columns={COLUMNS}>
        {losses.map((loss) => (
          <tr key={loss.method}>
            <Cell>{METHODS[loss.method] ?? loss.method}</Cell>
            <Cell align="end">{amount(loss.value_at_risk)}</Cell>
            <Cell align="end">{amount(loss.expected_shortfall)}</Cell>
            <Cell align="end">{testText(loss)}</Cell>
          </tr>
        ))}
      </Table>
      <p className={classes.note}>{days < LOSS_DAYS_MIN ? words.needs(LOSS_DAYS_MIN, days) : words.note}</p>
    </Card>
  )
}

function testText({ beyond, days, plausible }: LossEstimate): string {
  const { losses: words } = copy
  if (plausible === null) return words.notTested
  return words.tested(beyond, days, plausible ? words.plausible : words.implausible)
}

/** PERF-15 */
export function CorrelationPanel({ correlation }: Pick<PerformanceRisk, 'correlation'>) {
  const { correlation: words } = copy
  const { strategies, rows, days } = correlation
  const names = strategies.map(({ name }) => name ?? copy.manual)
  const need =
    strategies.length < 2
      ? words.needsStrategies
      : days < CORRELATION_DAYS_MIN
        ? words.needsDays(CORRELATION_DAYS_MIN, days)
        : undefined
  return (
    <Card title={words.title} aside={words.scope}>
      {need !== undefined ? (
        <p className={classes.note}>{need}</p>
      ) : (
        <div className={classes.correlation}>
          <Table
            label={words.title}
            columns={[
              { title: words.strategy },
              ...names.map((name) => ({ title: name, align: 'end' as const })),
            ]}
          >
            {rows.map((row, index) => (
              <tr key={strategies[index]?.strategy}>
                <Cell>{names[index]}</Cell>
                {row.map((value, column) => (
                  <td key={strategies[column]?.strategy} data-align="end" style={shadeOf(value)}>
                    {formatRatio(value)}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Card>
  )
}

/** At most half strong, so that the text keeps its contrast. */
function shadeOf(value: number | null) {
  const fill = (value ?? 0) < 0 ? 'var(--down-fill)' : 'var(--accent-fill)'
  return { background: `color-mix(in srgb, ${fill} ${(Math.abs(value ?? 0) * 40).toFixed(0)}%, transparent)` }
}

/** PERF-16 */
export function StressPanel({
  scenarios,
  open_positions: count,
}: Pick<PerformanceRisk, 'scenarios' | 'open_positions'>) {
  const { stress: words } = copy
  return (
    <Card title={words.title} aside={words.positions(count)}>
      {count === 0 ? (
        <p className={classes.note}>{words.noPositions}</p>
      ) : (
        <BarRows label={words.title} rows={scenarios.map(({ name, pnl }) => ({ name, amount: pnl }))} />
      )}
    </Card>
  )
}
