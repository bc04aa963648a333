import type { ResultColumn } from '@binnacle/contract'
import type { ClassifiedCommand } from './guard.ts'
import { pairsOf } from './key-values.ts'

export interface ReplyRows {
  columns: ResultColumn[]
  /** Strings are bytes. */
  rows: unknown[][]
}

/** A reply as rows: pairs in two columns, a scan with its cursor, a list with one item per row, else one value. */
export function rowsOfReply({ kind, name, args }: ClassifiedCommand, reply: unknown): ReplyRows {
  if (kind === 'write' && !Array.isArray(reply)) return { columns: [REPLY], rows: [[reply]] }
  if (!Array.isArray(reply)) return { columns: [VALUE], rows: linesOf(name, reply) }
  if (SCANS.has(name)) return scanRows(name, reply)
  if (isPairs(name, args)) return { columns: [{ name: 'name', type: 'string' }, VALUE], rows: pairsOf(reply) }
  return { columns: [VALUE], rows: reply.map((item) => [item]) }
}

const VALUE = { name: 'value', type: 'any' }
/** What a writing command answers. */
const REPLY = { name: 'reply', type: 'any' }
const SCANS = new Set(['SCAN', 'HSCAN', 'SSCAN', 'ZSCAN'])

function scanRows(name: string, [cursor, items]: unknown[]): ReplyRows {
  const found: unknown[] = Array.isArray(items) ? items : []
  const isPair = name === 'HSCAN' || name === 'ZSCAN'
  const rows = isPair ? pairsOf(found).map((pair) => [cursor, ...pair]) : found.map((item) => [cursor, item])
  const columns = isPair ? [{ name: 'name', type: 'string' }, VALUE] : [VALUE]
  // An empty scan step still returns its cursor.
  const emptyStep = [[cursor, ...columns.map(() => null)]]
  return {
    columns: [{ name: 'cursor', type: 'string' }, ...columns],
    rows: rows.length > 0 ? rows : emptyStep,
  }
}

function isPairs(name: string, args: readonly Buffer[]): boolean {
  const words = args.map((word) => word.toString('latin1').toUpperCase())
  return name === 'HGETALL' || words.includes('WITHSCORES') || words.includes('WITHVALUES')
}

/** INFO replies with one figure per line. */
function linesOf(name: string, reply: unknown): unknown[][] {
  if (name !== 'INFO') return [[reply]]
  return String(reply)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line])
}
