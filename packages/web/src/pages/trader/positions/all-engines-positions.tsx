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
import { createFailureToasts } from '#state/command-failures.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { AllEnginesScreen, describeMissing } from '#ui/list/all-engines-screen.tsx'
import { gainColumn, numberColumn, textColumn } from '#ui/list/columns.tsx'
import type { DataColumn } from '#ui/list/data-table.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

type Row = OfEngine<Position>

const failures = createFailureToasts<EngineRow>({
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
    <AllEnginesScreen
      title={copy.allEngines.title}
      back={{ to: paths.admin, label: copy.back }}
      one={paths.positions}
      notices={missing.map(describeMissing)}
      loading={isPending ? copy.loading : undefined}
      figures={
        <>
          <Figure label={copy.summary.open} value={rows.length} />
          <Sum label={copy.columns.unrealized} amounts={rows.map((row) => row.unrealized_pnl)} />
          <Sum label={copy.columns.realized} amounts={rows.map((row) => row.realized_pnl)} />
        </>
      }
      table={{ columns, rows, rowKey: subjectOf, phoneRow, empty: copy.empty }}
    >
      {dialog}
    </AllEnginesScreen>
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
  return [
    textColumn(copy.allEngines.engine, ({ engine }) => engine),
    { ...textColumn(copy.columns.id, ({ id }) => String(id)), mono: true },
    textColumn(copy.columns.instrument, ({ instrument }) => instrument),
    textColumn(copy.columns.side, ({ side }) => side),
    numberColumn(copy.columns.quantity, ({ quantity }) => quantity, formatQuantity),
    numberColumn(copy.columns.entryPrice, (row) => row.entry_price, formatAveragePrice),
    numberColumn(copy.columns.currentPrice, (row) => row.current_price, formatPrice),
    gainColumn(copy.columns.unrealized, (row) => row.unrealized_pnl),
    gainColumn(copy.columns.realized, (row) => row.realized_pnl),
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
