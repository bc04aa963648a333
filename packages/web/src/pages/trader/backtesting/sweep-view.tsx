import { SWEEP_MEASURES, type Sweep, type SweepMeasure, type SweepResult } from '@binnacle/contract'
import { useMemo, useState } from 'react'
import { isSweepActive } from '#data/sweeps.ts'
import { formatQuantity } from '#format/money.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ScrollBox } from '#ui/frame/scroll-box.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { describeRun, statusText, toneOfRun } from './run-format.ts'
import { formatMeasure, heatMapOf, isBetter, rankedResults, strengthOf } from './sweep-figures.ts'
import { isMeasure } from './sweep-form.ts'
import classes from './sweep-view.module.css'
import { SweepProgress } from './sweeps-panel.tsx'

export interface SweepViewProps {
  sweep: Sweep
  /** The number of a set whose values go into the form. */
  onUse: (set: number) => void
  /** Starts a sweep of the same request. */
  again: { busy: boolean; run: () => void }
}

const { sweepView: words, sweepForm } = copy

/** BT-37 to BT-43: what a sweep has found so far. */
export function SweepView({ sweep, onUse, again }: SweepViewProps) {
  const [measure, setMeasure] = useState<SweepMeasure>(sweep.request.measure)
  const [first] = rankedResults(sweep, measure)
  const best = first?.statistics?.[measure] == null ? undefined : first
  return (
    <>
      <Card
        title={
          <>
            {copy.sweeps.name(sweep.id)} {describeRun({ request: sweep.request.base })}
            <Badge tone={toneOfRun(sweep.status)}>
              {sweep.stopped_early ? words.stoppedEarly : statusText(sweep.status)}
            </Badge>
          </>
        }
        actions={
          <>
            {UNFINISHED.includes(sweep.status) && (
              <Button busy={again.busy} onClick={again.run}>
                {copy.sweeps.again}
              </Button>
            )}
            <SelectField
              label={sweepForm.measure}
              labelHidden
              value={measure}
              options={SWEEP_MEASURES.map((value) => ({ value, label: sweepForm.measures[value] }))}
              onChange={(value) => isMeasure(value) && setMeasure(value)}
            />
          </>
        }
      >
        <Figures columns={4}>
          <Figure
            label={words.best(sweepForm.measures[measure])}
            value={formatMeasure(best?.statistics?.[measure], measure)}
          />
          <Figure label={words.bestSet} value={best ? describeSet(sweep, best.set) : copy.none} />
          <Figure label={words.runs} value={copy.sweeps.done(sweep.done, sweep.total)} />
          <Figure label={words.deflated} value={probabilityText(sweep)} />
        </Figures>
        {isSweepActive(sweep) && <SweepProgress sweep={sweep} />}
        {sweep.error && <Notice tone="warn" title={sweep.error} />}
        <Deflated sweep={sweep} />
        {best && <DeniedNotice result={best} />}
      </Card>
      {sweep.names.length > 1 && <HeatMapCard sweep={sweep} measure={measure} onUse={onUse} />}
      {sweep.walk_forward.length > 0 && <WalkForward sweep={sweep} />}
      <Sets sweep={sweep} measure={measure} onUse={onUse} />
    </>
  )
}

/** BT-143: ended before all of their sets were run. */
const UNFINISHED: readonly string[] = ['interrupted', 'cancelled', 'failed']

function describeSet({ names, sets }: Sweep, set: number): string {
  return names.map((name, nth) => `${name} ${sets[set]?.[nth]}`).join(', ')
}

function probabilityText({ deflated_sharpe: deflated }: Sweep): string {
  return deflated?.probability == null ? copy.none : formatShare(deflated.probability)
}

/** BT-41 */
function Deflated({ sweep: { deflated_sharpe: deflated } }: { sweep: Sweep }) {
  if (deflated?.probability == null || deflated.probability >= SIGNIFICANT) return null
  const expected = formatRatio(deflated.expected_best)
  return (
    <Notice tone="warn" title={words.warning(deflated.trials, expected, formatShare(deflated.probability))} />
  )
}

const SIGNIFICANT = 0.95

/** BT-149: as a run says it. */
function DeniedNotice({ result: { orders = 0, denied_orders: denied = 0 } }: { result: SweepResult }) {
  return denied === 0 ? null : <Notice tone="calm" title={copy.result.denied(denied, orders)} />
}

/** BT-148: a set that was run by an older version has no counts. */
function Denied({ result: { orders, denied_orders: denied } }: { result: SweepResult }) {
  if (orders === undefined || denied === undefined) return copy.none
  return denied === 0 ? '0' : <Badge tone="warn">{words.denied(denied, orders)}</Badge>
}

interface PartProps extends Omit<SweepViewProps, 'again'> {
  measure: SweepMeasure
}

/** BT-43 */
function HeatMapCard({ sweep, measure, onUse }: PartProps) {
  const [across, setAcross] = useState(sweep.names[0] ?? '')
  const [down, setDown] = useState(sweep.names[1] ?? '')
  const map = useMemo(() => heatMapOf(sweep, measure, down, across), [sweep, measure, down, across])
  const best = useMemo(() => {
    let found: number | undefined
    for (const { value } of map.cells.flat())
      if (value !== undefined && (found === undefined || isBetter(value, found, measure))) found = value
    return found
  }, [map, measure])
  const options = sweep.names.map((name) => ({ value: name, label: name }))
  return (
    <Card title={words.heatMap} aside={sweepForm.measures[measure]}>
      <div className={classes.axes}>
        <SelectField label={words.down} value={down} options={options} onChange={setDown} />
        <SelectField label={words.across} value={across} options={options} onChange={setAcross} />
      </div>
      <ScrollBox className={classes.scroll}>
        <table className={classes.heat} aria-label={words.heatMapOf(down, across)}>
          <tbody>
            {map.down.map((row, y) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {map.across.map((column, x) => {
                  const cell = map.cells[y]?.[x]
                  const { value, set } = cell ?? {}
                  if (set === undefined) return <td key={column} data-empty aria-label={words.noResult} />
                  const strength = value === undefined ? 0 : Math.round(strengthOf(value, map, measure) * 50)
                  const background = `color-mix(in srgb, var(--accent-fill) ${strength}%, var(--surface))`
                  const isBest = value !== undefined && value === best
                  return (
                    <td key={column} style={{ background }} data-best={isBest || undefined}>
                      <button
                        type="button"
                        aria-label={words.cellAction(row, column, formatMeasure(value, measure))}
                        onClick={() => onUse(set)}
                      >
                        {formatMeasure(value, measure)}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              {map.across.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </tfoot>
        </table>
      </ScrollBox>
    </Card>
  )
}

/** BT-40 */
function WalkForward({ sweep }: { sweep: Sweep }) {
  const { measure } = sweep.request
  const columns = [
    { title: words.window },
    { title: words.period },
    { title: words.bestSet },
    { title: words.inSample, align: 'end' },
    { title: words.outOfSample, align: 'end' },
  ] as const
  return (
    <Card title={words.walkForward} aside={sweepForm.measures[measure]}>
      <Table label={words.walkForward} columns={columns}>
        {sweep.walk_forward.map(({ window, set, in_sample: inside, out_of_sample: outside }) => {
          const out = sweep.segments.find((one) => one.window === window && one.part === 'out')
          return (
            <tr key={window}>
              <Cell>{window + 1}</Cell>
              <Cell>{out ? `${out.from.slice(0, 10)} – ${out.to.slice(0, 10)}` : copy.none}</Cell>
              <Cell>{set === null ? copy.none : describeSet(sweep, set)}</Cell>
              <Cell align="end">{formatMeasure(inside, measure)}</Cell>
              <Cell align="end">{formatMeasure(outside, measure)}</Cell>
            </tr>
          )
        })}
      </Table>
    </Card>
  )
}

const MAX_ROWS = 50

/** BT-101: the first column stays in view, since many parameters make the table wider than its place. */
function Sets({ sweep, measure, onUse }: PartProps) {
  const ranked = rankedResults(sweep, measure)
  const columns = [
    { title: words.use },
    ...sweep.names.map((title) => ({ title, align: 'end' as const })),
    ...words.columns.map((title) => ({ title, align: 'end' as const })),
  ]
  return (
    <Card title={words.sets} aside={words.shown(Math.min(MAX_ROWS, ranked.length), sweep.sets.length)}>
      <Table label={words.sets} columns={columns} className={classes.sets}>
        {ranked.slice(0, MAX_ROWS).map((result) => {
          const { set, statistics, error } = result
          return (
            <tr key={set}>
              <Cell>
                {/* BT-150: the strategy refuses the values of a set without statistics. */}
                {statistics && (
                  <Button aria-label={words.setAction(describeSet(sweep, set))} onClick={() => onUse(set)}>
                    {words.use}
                  </Button>
                )}
              </Cell>
              {sweep.names.map((name, nth) => (
                <Cell key={name} align="end">
                  {sweep.sets[set]?.[nth]}
                </Cell>
              ))}
              {statistics ? (
                <>
                  <Cell align="end">{formatRatio(statistics.sharpe)}</Cell>
                  <Cell align="end">{formatReturn(statistics.total_return)}</Cell>
                  <Cell align="end">{formatShare(statistics.max_drawdown)}</Cell>
                  <Cell align="end">{formatRatio(statistics.profit_factor)}</Cell>
                  <Cell align="end">{formatQuantity(statistics.trades)}</Cell>
                  <Cell align="end">
                    <Denied result={result} />
                  </Cell>
                </>
              ) : (
                <td colSpan={words.columns.length}>{error}</td>
              )}
            </tr>
          )
        })}
      </Table>
    </Card>
  )
}
