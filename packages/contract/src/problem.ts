import * as z from 'zod'

/** The media type of a refusal or fault that is meant for the person at the screen. */
export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

interface ProblemKind {
  status: number
  title: string
}

/** Every problem code, once: its HTTP status and a title that is safe to show. */
export const PROBLEMS = {
  'request.invalid': { status: 422, title: 'The request is not valid' },
  'request.malformed': { status: 400, title: 'The request could not be read' },
  'request.too-slow': { status: 408, title: 'The request took too long to arrive' },
  'request.too-large': { status: 413, title: 'The request is too large' },
  'request.content-type': { status: 415, title: 'The request body must be JSON' },
  'request.headers-too-large': { status: 431, title: 'The request headers are too large' },
  'door.host': { status: 421, title: 'This address is not served here' },
  'door.origin': { status: 403, title: 'Requests from other sites are refused' },
  'route.unknown': { status: 404, title: 'There is no such call' },
  'route.disabled': { status: 503, title: 'This call is switched off' },
  'route.built-in': { status: 409, title: 'A built-in route cannot be changed' },
  'route.always-on': { status: 409, title: 'This call cannot be switched off' },
  'route.not-built': { status: 501, title: 'This call is not built yet' },
  'setting.unknown': { status: 404, title: 'There is no such setting' },
  'service.built-in': { status: 409, title: 'A built-in service cannot be changed' },
  'user.last-admin': { status: 409, title: 'There must be an active admin' },
  'job.ended': { status: 409, title: 'The job has ended' },
  'job.failed': { status: 500, title: 'The work failed' },
  'job.cancelled': { status: 409, title: 'The work was stopped' },
  'task.running': { status: 409, title: 'The task is running' },
  'thing.unknown': { status: 404, title: 'There is no such thing' },
  'thing.exists': { status: 409, title: 'There is one already' },
  'order.malformed': { status: 422, title: 'The order makes no sense as sent' },
  'order.not-pending': { status: 409, title: 'Only a pending order can be cancelled' },
  'position.not-open': { status: 409, title: 'The position is not open' },
  'strategy.holds': { status: 409, title: 'The strategy holds a position' },
  'strategy.refused': { status: 422, title: 'The strategy makes no sense as sent' },
  'backtest.ended': { status: 409, title: 'The backtest has ended' },
  'backtest.queue-full': { status: 503, title: 'Too many backtests are waiting' },
  'engine.refused': { status: 409, title: 'The engine refused' },
  'engine.halted': { status: 503, title: 'The engine takes no commands now' },
  'engine.unknown': { status: 503, title: 'The outcome is unknown: retry with the same key' },
  'store.unsupported': { status: 422, title: 'This kind of store cannot do that' },
  'store.read-only': { status: 403, title: 'This connection is read-only' },
  'store.not-configured': { status: 409, title: 'No such store is configured' },
  'store.unreachable': { status: 502, title: 'The store cannot be reached' },
  'store.refused': { status: 422, title: 'The store refused' },
  'statement.confirm': { status: 409, title: "Type the table's name to go on" },
  'statement.cancelled': { status: 409, title: 'The statement was cancelled' },
  'statement.timeout': { status: 408, title: 'The statement took too long' },
  'statement.ended': { status: 409, title: 'The statement is not running' },
  'connection.built-in': { status: 409, title: 'A store of our own cannot be changed here' },
  'backup.failed': { status: 500, title: 'The backup failed and left nothing behind' },
  'backup.not-restorable': { status: 409, title: 'This backup cannot be restored' },
  'restore.failed': { status: 500, title: 'The restore failed and changed nothing' },
  'server.fault': { status: 500, title: 'The server failed' },
  'server.closing': { status: 503, title: 'The server is shutting down' },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof PROBLEMS

export const FieldFault = z
  .object({
    field: z.string(),
    message: z.string(),
    expected: z
      .string()
      .optional()
      .describe('The one text that would be accepted, to be typed by the person'),
  })
  .meta({ id: 'FieldFault' })
export type FieldFault = z.output<typeof FieldFault>

/** RFC 9457, with our code, the faulty fields and the request's id for the log. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    code: z.string(),
    errors: z.array(FieldFault).optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.output<typeof Problem>
