import type { AuditChange } from './audit-context.ts'
import type { ChainedRecord, ChainHead } from './chain.ts'
import type { ChainFault } from './verify-chain.ts'

/** Records that the log no longer had at a start, although `audit-head.json` named the last of them. */
export interface AuditLoss {
  /** The record that a start has written about it. */
  seq: number
  at: string
  /** The number of the marked record. */
  markedSeq: number
}

export const COMPARE_ACTION = 'audit.compare'
export const ACKNOWLEDGE_ACTION = 'acknowledge-loss.command'
const RESTORE_ACTION = 'restore.command'
/** The admin store among the connections. */
const ADMIN_CONNECTION = 'binnacle-admin'

/** The actions of the records that findOpenLosses needs. */
export const LOSS_ACTIONS = [COMPARE_ACTION, ACKNOWLEDGE_ACTION, RESTORE_ACTION] as const

export type LossRecord = Pick<ChainedRecord, 'seq' | 'at' | 'action' | 'target' | 'before'>

/**
 * The losses that nobody has acknowledged. A restore of the admin store acknowledges the one that it causes, which is
 * recorded just before it.
 */
export function findOpenLosses(records: Iterable<LossRecord>): AuditLoss[] {
  const open: AuditLoss[] = []
  for (const { seq, at, action, target, before } of records) {
    if (action === COMPARE_ACTION) open.push({ seq, at, markedSeq: markedSeqOf(before) })
    if (action === ACKNOWLEDGE_ACTION) open.length = 0
    if (action === RESTORE_ACTION && target === ADMIN_CONNECTION) open.pop()
  }
  return open
}

function markedSeqOf(before: string | null): number {
  return Number(Object(JSON.parse(before ?? '{}')).seq)
}

/** The change that a start records. */
export function lossOf({ seq, hash }: ChainHead): AuditChange {
  const note = 'The audit log no longer has this record: changes were lost with it.'
  return { entity: 'audit-log', target: 'head', before: { seq, hash }, after: { note } }
}

export function faultOfLoss({ seq, at, markedSeq }: AuditLoss): ChainFault {
  const lost = markedSeq > seq ? `records ${seq} to ${markedSeq}` : `record ${markedSeq}`
  const detail = `The audit log has lost ${lost}: at the start of ${at} it ended with record ${seq - 1}, but audit-head.json named record ${markedSeq}. Changes of the admin store are gone with them. Restore a newer backup of admin.sqlite; or stop the server and run 'npm run acknowledge-loss'.`
  return { seq: Math.min(seq, markedSeq), kind: 'removed', detail }
}
