import type { EngineEntry, Position } from '@binnacle/contract'
import { useCallback, useMemo } from 'react'
import {
  type EngineRow,
  type OfEngine,
  subjectOf,
  useCloseOnEngine,
  usePositionsOfAll,
} from '#data/all-engines.ts'
import { formatAveragePrice, formatGain, formatPrice, formatQuantity, roundToZero } from '#format/money.ts'
import { paths } from '#paths.ts'
import { showFailures } from '#state/command-failures.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'

type Row = OfEngine<Position>

const failures = showFailures<EngineRow>({
  name: (row) => `close ${subjectOf(row)}`,
  unknown: (row) => copy.closeUnknown(subjectOf(row)),
})

/** ENGS-17: the open positions of all engines, with sums; a close goes to the engine of its row. */
export function AllEnginesPositions({ engines }: { engines: readonly EngineEntry[] }) {
  const { rows, missing, isPending } = usePositionsOfAll(engines)
  const { run: close, pendingSubjects } = useCloseOnEngine({ ...failures, onDone: showUnconfirmed })
  const { ask, dialog } = useConfirm()
  const onClose = useCallback(
    (row: Row) =>
      ask({
        question: copy.closeQuestion,
        detail: `${row.engine}: ${row.side} ${formatQuantity(row.quantity)} ${row.instrument}`,
        action: copy.confirmClose,
        onConfirm: () => close({ engine: row.engine, id: row.id }),
      }),
    [ask, close],
  )
  const columns = useMemo(() => columnsOf(onClose, pendingSubjects), [onClose, pendingSubjects])
  const phoneRow = useCallback((row: Row) => phoneRowOf(row, columns), [columns])
  return (
    <Screen
      title={copy.allEngines.title}
      back={{ to: paths.admin, label: copy.back }}
      actions={<TextLink to={paths.positions}>{copy.allEngines.one}</TextLink>}
    >
      {missing.map((name) => (
        <Notice key={name} tone="bad" title={copy.allEngines.missing(name)} />
      ))}
      {isPending && <Loading text={copy.loading} lines={6} />}
      <StatCards>
        <Figure label={copy.summary.open} value={rows.length} />
        <Sum label={copy.columns.unrealized} amounts={rows.map((row) => row.unrealized_pnl)} />
        <Sum label={copy.columns.realized} amounts={rows.map((row) => row.realized_pnl)} />
      </StatCards>
      {rows.length === 0 && !isPending && <EmptyState title={copy.empty} />}
      {rows.length > 0 && (
        <Card>
          <DataTable
            label={copy.allEngines.title}
            columns={columns}
            rows={rows}
            rowKey={subjectOf}
            phoneRow={phoneRow}
          />
        </Card>
      )}
      {dialog}
    </Screen>
  )
}

function Sum({ label, amounts }: { label: string; amounts: readonly number[] }) {
  const total = roundToZero(amounts.reduce((sum, amount) => sum + amount, 0))
  return <Figure label={label} value={formatGain(total)} tone={toneOfGain(total, true)} />
}

function phoneRowOf(row: Row, columns: readonly DataColumn<Row>[]) {
  const cellOf = (title: string) => columns.find((column) => column.title === title)?.cell(row)
  return {
    title: row.instrument,
    id: `${row.engine} · ${row.id}`,
    figure: cellOf(copy.columns.unrealized),
    detail: (
      <>
        {row.side} {formatQuantity(row.quantity)} {copy.phone.at} {cellOf(copy.columns.entryPrice)} ·{' '}
        {copy.phone.now} {cellOf(copy.columns.currentPrice)}
      </>
    ),
    status: (
      <>
        {copy.phone.realized} {cellOf(copy.columns.realized)}
      </>
    ),
    actions: cellOf(copy.columns.actions),
  }
}

function columnsOf(
  onClose: (row: Row) => void,
  pendingSubjects: ReadonlySet<string>,
): readonly DataColumn<Row>[] {
  const text = (title: string, value: (row: Row) => string): DataColumn<Row> => ({
    title,
    value,
    cell: value,
  })
  const number = (
    title: string,
    value: (row: Row) => number,
    format: (amount: number) => string,
  ): DataColumn<Row> => ({ title, align: 'end', value, cell: (row) => format(value(row)) })
  const gain = (title: string, value: (row: Row) => number): DataColumn<Row> => ({
    ...{ title, align: 'end', value, text: (row) => formatGain(roundToZero(value(row))) },
    cell: (row) => {
      const amount = roundToZero(value(row))
      return <ToneText tone={toneOfGain(amount, true)}>{formatGain(amount)}</ToneText>
    },
  })
  return [
    text(copy.allEngines.engine, ({ engine }) => engine),
    { ...text(copy.columns.id, ({ id }) => String(id)), mono: true },
    text(copy.columns.instrument, ({ instrument }) => instrument),
    text(copy.columns.side, ({ side }) => side),
    number(copy.columns.quantity, ({ quantity }) => quantity, formatQuantity),
    number(copy.columns.entryPrice, (row) => row.entry_price, formatAveragePrice),
    number(copy.columns.currentPrice, (row) => row.current_price, formatPrice),
    gain(copy.columns.unrealized, (row) => row.unrealized_pnl),
    gain(copy.columns.realized, (row) => row.realized_pnl),
    {
      title: copy.columns.actions,
      pinned: true,
      cell: (row) => (
        <Button kind="danger" busy={pendingSubjects.has(subjectOf(row))} onClick={() => onClose(row)}>
          {copy.close}
        </Button>
      ),
    },
  ]
}
