import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Id, ifGiven, Timestamp } from '#shared.ts'

/** One audited change. The specification shows no fields: these are ours. */
export const AuditLog = object(() => ({
  id: Id.describe('Sequence number of the record, without gaps'),
  at: z.string(),
  actor: z.string(),
  role: z.string().nullish(),
  address: z.string().nullish(),
  action: z.string().describe('The id of the call, such as settings.update'),
  entity: z.string().nullish().describe('The kind of entity that was changed, such as setting'),
  target: z.string().nullish().describe('Key or id of the changed entity'),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  request_id: z.string().nullish(),
  hash: z.string().nullish().describe('SHA-256 over the record and the hash of the record before it'),
})).meta({ id: 'AuditLog' })
export type AuditLog = z.output<typeof AuditLog>

const Filter = strictObject(() => ({
  from: Timestamp.optional(),
  to: Timestamp.optional().describe('End of the period, exclusive'),
  actor: z.string().optional(),
  action: z.string().optional(),
  entity: z.string().optional(),
  target: z.string().optional(),
  request_id: z.string().optional(),
}))
export type AuditFilter = z.output<typeof Filter>

/** The largest page size. */
export const MAX_AUDIT_PAGE = 500

const Cursor = z.coerce.number<number>().int().min(1)

const Page = strictObject(() => ({
  ...Filter.shape,
  cursor: Cursor.optional().describe('The next_cursor of the previous page'),
  limit: Cursor.max(MAX_AUDIT_PAGE).default(100),
}))

const AuditPage = z.preprocess(
  (reply: { logs: z.input<typeof AuditLog>[]; next_cursor?: number | null | undefined }) =>
    Array.isArray(reply) ? { logs: reply } : reply,
  object(() => ({
    logs: z.array(AuditLog),
    next_cursor: ifGiven(z.number().nullable()).describe('Null on the last page'),
  })),
)

/** Forged: an anchor that was not signed with the key of this server. */
export const AUDIT_FAULTS = ['altered', 'removed', 'moved', 'added', 'forged'] as const

export const AuditVerdict = object(() => ({
  intact: z.boolean(),
  lines: z.number().describe('Number of records the log should have'),
  head_hash: z
    .string()
    .nullable()
    .describe('Hash of the last record; a copy stored elsewhere can later prove that this log is unchanged'),
  duration_ms: z.number(),
  is_anchored: ifGiven(z.boolean()).describe(
    'Whether the head is also stored outside this server. Without it, a log that was rewritten or cut with its head verifies as intact',
  ),
  anchor: ifGiven(
    z.object({
      place: z.string().describe('Where the anchors are, without secrets'),
      key_id: z.string(),
      anchors: z.number().describe('How many were compared'),
      last_at: z.string().nullable(),
    }),
  ),
  note: ifGiven(z.string()).describe('What the verification cannot show'),
  fault: z
    .object({ line: z.number(), kind: z.enum(AUDIT_FAULTS), detail: z.string() })
    .optional()
    .describe('The first record that differs from what was written'),
})).meta({ id: 'AuditVerdict' })
export type AuditVerdict = z.output<typeof AuditVerdict>

export const AUDIT_EXPORTS = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

export const auditLogs = {
  list: adminEndpoint('GET /api/admin/audit-logs', {
    summary: 'Audit records, newest first',
    role: 'admin',
    origin: 'documented',
    query: Page,
    reply: AuditPage,
  }),
  export: adminEndpoint('GET /api/admin/audit-logs/export', {
    summary: 'The audit log as a file, oldest first: CSV for people, JSON lines for programs',
    role: 'admin',
    origin: 'ours',
    produces: Object.values(AUDIT_EXPORTS),
    query: strictObject(() => ({ ...Filter.shape, format: z.enum(['csv', 'jsonl']).default('csv') })),
    reply: z.string(),
  }),
  verify: adminEndpoint('GET /api/admin/audit-logs/verify', {
    summary: 'Verify that no record of the audit log was changed, removed, moved or added',
    role: 'admin',
    origin: 'ours',
    reply: AuditVerdict,
  }),
}
