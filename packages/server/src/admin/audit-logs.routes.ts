import { auditLogs } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Attachment } from '#http/attachment.ts'
import { mount } from '#http/mount.ts'
import type { AuditAnchor } from '#services/audit/audit-anchor.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { ChainedRecord } from '#storage/audit/chain.ts'
import { exportCsv, exportJsonLines } from './audit-export.ts'

/** Each call first waits for pending records of the trading journal, so the log includes everything before the request. */
export function addAuditLogsRoutes(
  app: FastifyInstance,
  audit: AuditStore,
  { waitForAudit, anchor }: AuditLogRouteOptions,
): void {
  mount(app, auditLogs.list, async ({ query: { cursor = Number.MAX_SAFE_INTEGER, limit, ...filter } }) => {
    await waitForAudit()
    const records = await audit.page(filter, cursor, limit + 1)
    const logs = records.slice(0, limit)
    const next_cursor = records.length > limit ? (logs.at(-1)?.seq ?? null) : null
    return { logs: logs.map(recordToWire), next_cursor }
  })

  mount(app, auditLogs.export, async ({ query: { format, ...filter } }) => {
    await waitForAudit()
    return format === 'csv'
      ? new Attachment('audit-log.csv', 'text/csv; charset=utf-8', exportCsv(audit.batches(filter)))
      : new Attachment('audit-log.jsonl', 'application/x-ndjson', exportJsonLines(audit.batches(filter)))
  })

  mount(app, auditLogs.verify, async () => {
    await waitForAudit()
    const { head, fault: chainFault, durationMs } = await audit.verify()
    const compared = await anchor?.compare()
    const fault = chainFault ?? compared?.fault
    return {
      intact: fault === undefined,
      lines: head?.seq ?? 0,
      head_hash: head?.hash ?? null,
      duration_ms: Math.round(durationMs),
      is_anchored: anchor !== undefined,
      ...(anchor && {
        anchor: {
          place: anchor.place,
          key_id: anchor.keyId,
          anchors: compared?.anchors ?? 0,
          last_at: compared?.last?.at ?? null,
        },
      }),
      ...(compared === undefined && { note: anchor === undefined ? UNANCHORED : NOT_READ_BACK }),
      ...(fault && { fault: { line: fault.seq, kind: fault.kind, detail: fault.detail } }),
    }
  })
}

const UNANCHORED =
  'The head of the chain is stored only on this server, so a log that was rewritten or cut together with its head verifies as intact. Keep head_hash elsewhere and compare it.'

const NOT_READ_BACK =
  'The anchors were sent to a webhook and cannot be read back from here. Compare the hash of a record with that of its anchor there.'

export type WaitForAudit = () => Promise<unknown>

export interface AuditLogRouteOptions {
  waitForAudit: WaitForAudit
  anchor?: AuditAnchor | undefined
}

function recordToWire({ seq, before, after, prev_hash: _, ...record }: ChainedRecord) {
  return { id: seq, ...record, before: jsonIn(before), after: jsonIn(after) }
}

function jsonIn(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
