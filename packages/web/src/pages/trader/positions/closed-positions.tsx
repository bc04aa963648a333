import { type ClosedPosition, MANUAL_STRATEGY } from '@binnacle/contract'
import { problemText } from '#data/failure.ts'
import { useClosedPositions } from '#data/positions.ts'
import { formatFee, formatGain, roundToZero } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { formatDateTime } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Gain } from '#ui/figure/gain.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import { gainColumn, numberColumn, textColumn, timeColumn } from '#ui/list/columns.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'

export interface ClosedPositionsProps {
  /** Only those closed before this row. */
  before: number | undefined
}

/** POS-24 */
export function ClosedPositions({ before }: ClosedPositionsProps) {
  const { data, isPending, error } = useClosedPositions(before, true)
  const problem = problemText(error)
  const next = data?.next_cursor
  return (
    <>
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {data?.positions.length === 0 && <p>{copy.noneClosed}</p>}
      {data !== undefined && data.positions.length > 0 && (
        <Card>
          <DataTable
            label={copy.closedTitle}
            columns={COLUMNS}
            phoneRow={phoneRowOf}
            rows={data.positions}
            rowKey={({ id }) => id}
            isPartial={before !== undefined || next !== undefined}
          />
        </Card>
      )}
      <p>
        {before !== undefined && <TextLink to={`${paths.positions}?tab=closed`}>{copy.latest}</TextLink>}{' '}
        {next !== undefined && (
          <TextLink to={`${paths.positions}?tab=closed&before=${next}`}>{copy.older}</TextLink>
        )}
      </p>
    </>
  )
}

type Column = DataColumn<ClosedPosition>

const COLUMNS: readonly Column[] = [
  { ...textColumn(copy.columns.id, ({ id }) => String(id)), mono: true },
  textColumn(copy.columns.instrument, ({ instrument }) => instrument),
  textColumn(copy.columns.side, ({ side }) => side),
  gainColumn(copy.closedColumns.before, (closed) => closed.realized_pnl),
  numberColumn(copy.closedColumns.fees, ({ fees }) => fees, formatFee),
  gainColumn(copy.closedColumns.funding, ({ funding }) => funding),
  gainColumn(copy.closedColumns.net, ({ result }) => result),
  timeColumn(copy.closedColumns.opened, (closed) => closed.opened_at),
  timeColumn(copy.closedColumns.closed, (closed) => closed.closed_at),
  {
    title: copy.columns.strategy,
    hideOrder: 1,
    value: ownerOf,
    cell: (position) => <ClippedText text={ownerOf(position)} />,
  },
]

/** SHELL-17: every value of the columns. */
function phoneRowOf(position: ClosedPosition): PhoneRow {
  const { id, instrument, side, fees } = position
  return {
    title: instrument,
    id,
    figure: <Gain amount={position.result} />,
    detail: (
      <>
        {side} · {copy.closedColumns.before} <Gain amount={position.realized_pnl} />
      </>
    ),
    status: `${copy.closedColumns.fees} ${formatFee(fees)}`,
    more: [
      `${copy.closedColumns.funding} ${formatGain(roundToZero(position.funding))}`,
      `${formatDateTime(position.opened_at)} – ${formatDateTime(position.closed_at)} UTC`,
      ownerOf(position),
    ].join(' · '),
  }
}

function ownerOf({ strategy, strategy_name: name }: ClosedPosition): string | undefined {
  return formatOwner(strategy === MANUAL_STRATEGY, name ?? strategy)
}
