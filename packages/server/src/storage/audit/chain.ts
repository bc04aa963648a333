import { hash } from 'node:crypto'
import type { AuditChange, AuditContext } from './audit-context.ts'
import { maskSecrets } from './mask.ts'

/** A stored audit record. `before` and `after` are canonical JSON. */
export interface StoredRecord {
  seq: number
  at: string
  actor: string
  role: string
  address: string | null
  action: string
  entity: string
  target: string
  before: string | null
  after: string | null
  request_id: string | null
}

export interface ChainedRecord extends StoredRecord {
  prev_hash: string
  hash: string
}

/** The last record of the log. Stored separately, so that truncation is detected. */
export interface ChainHead {
  seq: number
  hash: string
}

/** Predecessor of the first record. */
export const GENESIS: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** Creates the record after the head, with secrets masked. */
export function nextRecord(
  head: ChainHead,
  audit: AuditContext,
  change: AuditChange,
  at: Date,
): ChainedRecord {
  const record: StoredRecord = {
    seq: head.seq + 1,
    at: at.toISOString(),
    actor: audit.actor,
    role: audit.role,
    address: audit.address,
    action: audit.action,
    entity: change.entity,
    target: change.target,
    before: textOf(change.before),
    after: textOf(change.after),
    request_id: audit.requestId,
  }
  return { ...record, prev_hash: head.hash, hash: hashRecord(record, head.hash) }
}

/** 0009: hashes the fields in this order as a JSON array, with the format number first. A released format never changes. */
export function hashRecord(record: StoredRecord, prevHash: string): string {
  const fields = [
    1,
    prevHash,
    record.seq,
    record.at,
    record.actor,
    record.role,
    record.address,
    record.action,
    record.entity,
    record.target,
    record.before,
    record.after,
    record.request_id,
  ]
  return hash('sha256', JSON.stringify(fields))
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : canonicalJson(maskSecrets(value))
}

/** Returns JSON with sorted keys, so that equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? 'null'
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
