import type { ResultColumn, Row } from '@binnacle/contract'
import type { ResultCaps } from './driver.ts'
import { rowOf, sizeOf } from './encode.ts'

/** Rows up to a cap, and which cap it was. */
export interface Collected {
  rows: Row[]
  cut?: 'rows' | 'bytes' | undefined
}

/** Gathers encoded rows until a cap ends it; says false when there is no room for another. */
export function createCollector(caps: ResultCaps): {
  add(values: unknown[]): boolean
  end(columns: ResultColumn[]): Collected
} {
  const kept: unknown[][] = []
  let bytes = 0
  let cut: Collected['cut']
  return {
    add(values) {
      bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (kept.length >= caps.rows) cut = 'rows'
      else if (bytes > caps.bytes) cut = 'bytes'
      else kept.push(values)
      return cut === undefined
    },
    end: (columns) => ({ rows: kept.map((values) => rowOf(columns, values)), cut }),
  }
}
