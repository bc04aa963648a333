import { formatGain, roundToZero } from '#format/money.ts'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
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
    ...{ title, align: 'end', value },
    cell: (row) => {
      const amount = value(row)
      return amount === undefined ? '—' : format(amount)
    },
  }
}

/** A gain or loss with its sign and colour; a dash where there is none. */
export function gainColumn<Row>(title: string, value: (row: Row) => number | undefined): DataColumn<Row> {
  const text = (row: Row) => {
    const amount = value(row)
    return amount === undefined ? '—' : formatGain(roundToZero(amount))
  }
  return {
    ...{ title, align: 'end', value, text },
    cell: (row) => {
      const amount = value(row)
      const tone = amount === undefined ? undefined : toneOfGain(roundToZero(amount), true)
      return tone === undefined ? text(row) : <ToneText tone={tone}>{text(row)}</ToneText>
    },
  }
}
