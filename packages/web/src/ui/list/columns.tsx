import { formatGain, roundToZero } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { Gain } from '#ui/figure/gain.tsx'
import type { DataColumn } from './data-table.tsx'

export function textColumn<Row>(title: string, value: (row: Row) => string): DataColumn<Row> {
  return { title, value, cell: value }
}

/** A figure at the right edge; a dash where there is none. */
export function numberColumn<Row>(
  title: string,
  value: (row: Row) => number | undefined,
  format: (amount: number) => string,
): DataColumn<Row> {
  return {
    title,
    align: 'end',
    value,
    cell: (row) => {
      const amount = value(row)
      return amount === undefined ? '—' : format(amount)
    },
  }
}

/** A time in UTC. */
export function timeColumn<Row>(title: string, value: (row: Row) => string): DataColumn<Row> {
  return { title, value, cell: (row) => formatDateTime(value(row)) }
}

/** A gain or loss with its sign and colour; a dash where there is none. */
export function gainColumn<Row>(
  title: string,
  value: (row: Row) => number | undefined,
  isZeroNeutral = true,
): DataColumn<Row> {
  return {
    title,
    align: 'end',
    value,
    text: (row) => {
      const amount = value(row)
      return amount === undefined ? '—' : formatGain(isZeroNeutral ? roundToZero(amount) : amount)
    },
    cell: (row) => {
      const amount = value(row)
      return amount === undefined ? '—' : <Gain amount={amount} isZeroNeutral={isZeroNeutral} />
    },
  }
}
