import type { ResultColumn, Row } from '@binnacle/contract'
import type { ResultCaps } from './driver.ts'
import { rowOf, sizeOf } from './encode.ts'

/** Rows up to a cap, with the cap that cut them. */
export interface CollectedRows {
  rows: Row[]
  cut?: 'rows' | 'bytes' | undefined
}

/** Collects encoded rows up to the caps; add returns false when a cap is reached. */
export function createCollector(caps: ResultCaps): {
  add(values: unknown[]): boolean
  end(columns: ResultColumn[]): CollectedRows
} {
  const collected: unknown[][] = []
  let bytes = 0
  let cut: CollectedRows['cut']
  return {
    add(values) {
      bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (collected.length >= caps.rows) cut = 'rows'
      else if (bytes > caps.bytes) cut = 'bytes'
      else collected.push(values)
      return cut === undefined
    },
    end: (columns) => ({ rows: collected.map((values) => rowOf(columns, values)), cut }),
  }
}
