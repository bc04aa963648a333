import type { EngineEntry, Order } from '@binnacle/contract'
import { useCallback, useMemo } from 'react'
import {
  type EngineRow,
  type OfEngine,
  subjectOf,
  useCancelOnEngine,
  useOrdersOfAll,
} from '#data/all-engines.ts'
import { formatQuantity } from '#format/money.ts'
import { paths } from '#paths.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { cancelUnknown } from '#state/order-changes.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { AllEnginesScreen, describeMissing } from '#ui/list/all-engines-screen.tsx'
import { numberColumn, textColumn } from '#ui/list/columns.tsx'
import type { DataColumn } from '#ui/list/data-table.tsx'
import { CANCEL_QUESTION } from '#ui/order/order-change-dialogs.tsx'
import { describeOrder } from '#ui/order/order-rules.ts'
import { copy } from './copy.ts'
import { priceText, toneOfSide } from './order-status.ts'

type Row = OfEngine<Order>

const failures = createFailureToasts<EngineRow>({
  name: (row) => `cancel ${subjectOf(row)}`,
  unknown: (row) => cancelUnknown(subjectOf(row)),
})

/** ENGS-17: the working orders of all engines; a cancel goes to the engine of its row. */
export function AllEnginesOrders({ engines }: { engines: readonly EngineEntry[] }) {
  const { rows, missing, isPending } = useOrdersOfAll(engines)
  const { run: cancel, pendingSubjects } = useCancelOnEngine({ ...failures, onDone: showUnconfirmed })
  const { ask, dialog } = useConfirm()
  const onCancel = useCallback(
    (row: Row) =>
      ask({
        ...CANCEL_QUESTION,
        detail: `${row.engine}: ${describeOrder(row)}`,
        onConfirm: () => cancel({ engine: row.engine, id: row.id }),
      }),
    [ask, cancel],
  )
  const columns = useMemo(() => columnsOf(onCancel, pendingSubjects), [onCancel, pendingSubjects])
  const phoneRow = useCallback((row: Row) => phoneRowOf(row, columns), [columns])
  return (
    <AllEnginesScreen
      title={copy.allEngines.title}
      back={{ to: paths.admin, label: copy.back }}
      one={paths.orders}
      notices={missing.map(describeMissing)}
      loading={isPending ? copy.loading : undefined}
      figures={
        <>
          <Figure label={copy.tabs.working} value={rows.length} />
          {engines.map(({ name }) => (
            <Figure key={name} label={name} value={rows.filter(({ engine }) => engine === name).length} />
          ))}
        </>
      }
      table={{ columns, rows, rowKey: subjectOf, phoneRow, empty: copy.allEngines.empty }}
    >
      {dialog}
    </AllEnginesScreen>
  )
}

function phoneRowOf(row: Row, columns: readonly DataColumn<Row>[]) {
  const cellOf = (title: string) => columns.find((column) => column.title === title)?.cell(row)
  const { filled_qty: filled, quantity } = row
  return {
    title: row.instrument,
    id: `${row.engine} · ${row.id}`,
    figure: cellOf(copy.columns.price),
    detail: (
      <>
        {cellOf(copy.columns.side)} {row.type} ·{' '}
        {copy.phone.filledOf(formatQuantity(filled), formatQuantity(quantity))}
      </>
    ),
    status: row.status,
    actions: cellOf(copy.columns.actions),
  }
}

function columnsOf(
  onCancel: (row: Row) => void,
  pendingSubjects: ReadonlySet<string>,
): readonly DataColumn<Row>[] {
  return [
    textColumn(copy.allEngines.engine, ({ engine }) => engine),
    { ...textColumn(copy.columns.id, ({ id }) => String(id)), mono: true },
    textColumn(copy.columns.instrument, ({ instrument }) => instrument),
    {
      title: copy.columns.side,
      value: ({ side }) => side,
      cell: ({ side }) => <ToneText tone={toneOfSide(side)}>{side}</ToneText>,
    },
    textColumn(copy.columns.type, ({ type }) => type),
    numberColumn(copy.columns.quantity, (row) => row.quantity, formatQuantity),
    {
      title: copy.columns.price,
      align: 'end',
      value: ({ price }) => price,
      cell: (row) => priceText(row, undefined),
    },
    numberColumn(copy.columns.filled, (row) => row.filled_qty, formatQuantity),
    textColumn(copy.columns.status, ({ status }) => status),
    {
      title: copy.columns.actions,
      pinned: true,
      cell: (row) => (
        <Button busy={pendingSubjects.has(subjectOf(row))} onClick={() => onCancel(row)}>
          {copy.cancel}
        </Button>
      ),
    },
  ]
}
