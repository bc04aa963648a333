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
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { describeOrder, priceText, toneOfSide } from './order-status.ts'

type Row = OfEngine<Order>

const failures = showFailures<EngineRow>({
  name: (row) => `cancel ${subjectOf(row)}`,
  unknown: (row) => copy.cancelUnknown(subjectOf(row)),
})

/** ENGS-17: the working orders of all engines; a cancel goes to the engine of its row. */
export function AllEnginesOrders({ engines }: { engines: readonly EngineEntry[] }) {
  const { rows, missing, isPending } = useOrdersOfAll(engines)
  const { run: cancel, pendingSubjects } = useCancelOnEngine({ ...failures, onDone: showUnconfirmed })
  const { ask, dialog } = useConfirm()
  const onCancel = useCallback(
    (row: Row) =>
      ask({
        question: copy.cancelQuestion,
        detail: `${row.engine}: ${describeOrder(row)}`,
        action: copy.confirmCancel,
        dismiss: copy.keep,
        onConfirm: () => cancel({ engine: row.engine, id: row.id }),
      }),
    [ask, cancel],
  )
  const columns = useMemo(() => columnsOf(onCancel, pendingSubjects), [onCancel, pendingSubjects])
  const phoneRow = useCallback((row: Row) => phoneRowOf(row, columns), [columns])
  return (
    <Screen
      title={copy.allEngines.title}
      back={{ to: paths.admin, label: copy.back }}
      actions={<TextLink to={paths.orders}>{copy.allEngines.one}</TextLink>}
    >
      {missing.map((name) => (
        <Notice key={name} tone="bad" title={copy.allEngines.missing(name)} />
      ))}
      {isPending && <Loading text={copy.loading} lines={6} />}
      <StatCards>
        <Figure label={copy.tabs.working} value={rows.length} />
        {engines.map(({ name }) => (
          <Figure key={name} label={name} value={rows.filter(({ engine }) => engine === name).length} />
        ))}
      </StatCards>
      {rows.length === 0 && !isPending && <EmptyState title={copy.allEngines.empty} />}
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
  const text = (title: string, value: (row: Row) => string): DataColumn<Row> => ({
    title,
    value,
    cell: value,
  })
  const quantity = (title: string, value: (row: Row) => number): DataColumn<Row> => ({
    ...{ title, align: 'end', value, cell: (row) => formatQuantity(value(row)) },
  })
  return [
    text(copy.allEngines.engine, ({ engine }) => engine),
    { ...text(copy.columns.id, ({ id }) => String(id)), mono: true },
    text(copy.columns.instrument, ({ instrument }) => instrument),
    {
      ...{ title: copy.columns.side, value: ({ side }) => side },
      cell: ({ side }) => <ToneText tone={toneOfSide(side)}>{side}</ToneText>,
    },
    text(copy.columns.type, ({ type }) => type),
    quantity(copy.columns.quantity, (row) => row.quantity),
    {
      ...{ title: copy.columns.price, align: 'end', value: ({ price }) => price },
      cell: (row) => priceText(row, undefined),
    },
    quantity(copy.columns.filled, (row) => row.filled_qty),
    text(copy.columns.status, ({ status }) => status),
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
