import { hash } from 'node:crypto'
import type { Act, Deed } from './act.ts'
import { canonicalJson } from './canonical-json.ts'
import { maskSecrets } from './mask.ts'

/** A line as it is stored. Texts of before and after are canonical JSON. */
export interface AuditLine {
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

export interface ChainedLine extends AuditLine {
  prev_hash: string
  hash: string
}

/** How far the log goes. Kept apart from the lines, so that cutting off the last ones shows. */
export interface ChainHead {
  seq: number
  hash: string
}

/** What the first line is chained to. */
export const GENESIS: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** The next line after the head, its secrets masked. */
export function chainDeed(head: ChainHead, act: Act, deed: Deed, at: Date): ChainedLine {
  const line: AuditLine = {
    seq: head.seq + 1,
    at: at.toISOString(),
    actor: act.actor,
    role: act.role,
    address: act.address,
    action: act.action,
    entity: deed.entity,
    target: deed.target,
    before: textOf(deed.before),
    after: textOf(deed.after),
    request_id: act.requestId,
  }
  return { ...line, prev_hash: head.hash, hash: hashLine(line, head.hash) }
}

/** 0009: the fields in this order, as a JSON array, with the form's number first. Never changed, only followed. */
export function hashLine(line: AuditLine, prevHash: string): string {
  const fields = [
    1,
    prevHash,
    line.seq,
    line.at,
    line.actor,
    line.role,
    line.address,
    line.action,
    line.entity,
    line.target,
    line.before,
    line.after,
    line.request_id,
  ]
  return hash('sha256', JSON.stringify(fields))
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : canonicalJson(maskSecrets(value))
}
