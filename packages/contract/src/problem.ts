import * as z from 'zod'
import { object } from '#object.ts'

/** The media type of problem documents (RFC 9457). */
export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

interface ProblemKind {
  status: number
  title: string
}

/** Every problem code with its HTTP status and a title that is safe to show. Codes are stored and never change. */
export const PROBLEMS = {
  'request.invalid': { status: 422, title: 'The request is not valid' },
  'request.malformed': { status: 400, title: 'The request could not be read' },
  'request.too-slow': { status: 408, title: 'The request took too long to arrive' },
  'request.too-large': { status: 413, title: 'The request is too large' },
  'request.content-type': { status: 415, title: 'The request body must be JSON' },
  'request.headers-too-large': { status: 431, title: 'The request headers are too large' },
  'door.host': { status: 421, title: 'This address is not served here' },
  'door.origin': { status: 403, title: 'Requests from other origins are refused' },
  'route.unknown': { status: 404, title: 'Unknown call' },
  'route.method': { status: 405, title: 'This method is not allowed here' },
  'route.disabled': { status: 503, title: 'This call is switched off' },
  'route.built-in': { status: 409, title: 'A built-in route cannot be changed' },
  'route.always-on': { status: 409, title: 'This call cannot be switched off' },
  'route.not-built': { status: 501, title: 'This call is not implemented yet' },
  'setting.unknown': { status: 404, title: 'Unknown setting' },
  'service.built-in': { status: 409, title: 'A built-in service cannot be changed' },
  'user.last-admin': { status: 409, title: 'At least one active admin is required' },
  'job.ended': { status: 409, title: 'The job has ended' },
  'job.failed': { status: 500, title: 'The job failed' },
  'job.cancelled': { status: 409, title: 'The job was cancelled' },
  'task.running': { status: 409, title: 'The task is running' },
  'thing.unknown': { status: 404, title: 'Not found' },
  'thing.exists': { status: 409, title: 'It already exists' },
  'alert.resolved': { status: 409, title: 'The alert is resolved' },
  'key.too-old': { status: 409, title: 'The idempotency key is too old' },
  'version.changed': { status: 412, title: 'It was changed in the meantime' },
  'order.malformed': { status: 422, title: 'The order is invalid' },
  'order.not-pending': { status: 409, title: 'Only a pending order can be changed or cancelled' },
  'position.not-open': { status: 409, title: 'The position is not open' },
  'position.left': { status: 409, title: 'A part of the position is still open' },
  'strategy.holds': { status: 409, title: 'The strategy holds a position' },
  'strategy.refused': { status: 422, title: 'The strategy is invalid' },
  'backtest.ended': { status: 409, title: 'The backtest has ended' },
  'backtest.queue-full': { status: 503, title: 'Too many backtests are waiting' },
  'data-set.busy': { status: 409, title: 'The data set is being changed' },
  'feature.off': { status: 409, title: 'This feature is off' },
  'service.stopped': { status: 503, title: 'The service is stopped' },
  'engine.refused': { status: 409, title: 'The engine refused the command' },
  'engine.halted': { status: 503, title: 'The engine is not accepting commands' },
  'engine.not-configured': { status: 422, title: 'There is no engine of this name' },
  'engine.unreachable': { status: 503, title: 'The engine cannot be reached' },
  'engine.unknown': { status: 503, title: 'The outcome is unknown: retry with the same key' },
  'store.unsupported': { status: 422, title: 'This kind of database does not support it' },
  'store.read-only': { status: 403, title: 'This connection is read-only' },
  'store.not-configured': { status: 409, title: 'This kind of database is not configured' },
  'store.unreachable': { status: 502, title: 'The database cannot be reached' },
  'store.refused': { status: 422, title: 'The database refused the request' },
  'statement.confirm': { status: 409, title: 'Type the table name to confirm' },
  'statement.cancelled': { status: 409, title: 'The statement was cancelled' },
  'statement.timeout': { status: 408, title: 'The statement took too long' },
  'statement.ended': { status: 409, title: 'The statement is not running' },
  'connection.built-in': { status: 409, title: 'A built-in connection cannot be changed' },
  'backup.failed': { status: 500, title: 'The backup failed and left nothing behind' },
  'backup.not-restorable': { status: 409, title: 'This backup cannot be restored' },
  'restore.confirm': { status: 409, title: 'The backup is of another database: confirm the target' },
  'restore.failed': { status: 500, title: 'The restore failed and changed nothing' },
  'server.fault': { status: 500, title: 'The server failed' },
  'server.not-ready': { status: 503, title: 'The server is not ready' },
  'server.busy': { status: 503, title: 'Too many requests at once' },
  'server.closing': { status: 503, title: 'The server is shutting down' },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof PROBLEMS

export const FieldFault = object(() => ({
  field: z.string(),
  message: z.string(),
  expected: z.string().optional().describe('The only accepted text, which the user must type'),
})).meta({ id: 'FieldFault' })
export type FieldFault = z.output<typeof FieldFault>

/** RFC 9457, extended by a code, the invalid fields and the request id of the log. */
export const Problem = object(() => ({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  errors: z.array(FieldFault).optional(),
  request_id: z.string().optional(),
})).meta({ id: 'Problem' })
export type Problem = z.output<typeof Problem>
