import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Id, listOf } from '#shared.ts'

/** One change of state by a person. The specification shows no fields: these are ours. */
export const AuditLog = z
  .object({
    id: Id,
    at: z.string(),
    actor: z.string(),
    action: z.string(),
    target: z.string().nullish(),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
    request_id: z.string().nullish(),
  })
  .meta({ id: 'AuditLog' })
export type AuditLog = z.output<typeof AuditLog>

export const auditLogs = {
  list: endpoint('GET /api/admin/audit-logs', {
    summary: 'Who changed what, newest first',
    role: 'admin',
    origin: 'documented',
    reply: listOf('logs', AuditLog),
  }),
}
