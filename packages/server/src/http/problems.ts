import { randomFillSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  type FieldFault,
  PROBLEM_CONTENT_TYPE,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  REQUEST_ID_HEADER,
} from '@binnacle/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** A refusal that a handler returns. The client receives all of it. */
export class Refused {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors: FieldFault[] | undefined

  constructor(code: ProblemCode, detail: string, errors?: FieldFault[]) {
    this.code = code
    this.detail = detail
    this.errors = errors
  }
}

export interface NotFoundOptions {
  /** The part of the request that named it. */
  field?: string
  /** The call that lists what there is, such as 'GET /api/admin/users', or the names themselves. */
  list?: string | readonly string[]
  code?: ProblemCode
}

/** The reply of every route to an id that does not exist. */
export function notFound(kind: string, id: string, options: NotFoundOptions = {}): Refused {
  const { field = 'path.id', list, code = 'thing.unknown' } = options
  const hint = typeof list === 'string' ? ` ${list} lists them.` : list && ` Available: ${list.join(', ')}.`
  const errors = [{ field, message: `is not a known ${kind}` }]
  return new Refused(code, `There is no ${kind} '${id}'.${hint ?? ''}`, errors)
}

/** Thrown where a refusal cannot be returned: before a handler is called, or while a file is being streamed. */
export class ThrownRefusal extends Error {
  readonly refused: Refused

  /** With a cause it is a fault, which is logged; the client gets the refusal. */
  constructor(refused: Refused, options?: ErrorOptions) {
    super(refused.detail, options)
    this.refused = refused
  }
}

export function problemOf(refused: Refused, requestId: string): Problem {
  const { status, title } = PROBLEMS[refused.code]
  return {
    type: `urn:binnacle:problem:${refused.code}`,
    title,
    status,
    detail: refused.detail,
    code: refused.code,
    ...(refused.errors === undefined ? {} : { errors: refused.errors }),
    request_id: requestId,
  }
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  const problem = problemOf(refused, request.id)
  request.log.info({ event: 'problem', code: problem.code, status: problem.status })
  return reply.code(problem.status).type(PROBLEM_CONTENT_TYPE).send(JSON.stringify(problem))
}

/** Answers a request that was refused before it reached the app. Closes the connection, because the body is unread. */
export function sendRawProblem(response: ServerResponse, refused: Refused): string {
  const requestId = newRequestId()
  const problem = problemOf(refused, requestId)
  const body = JSON.stringify(problem)
  response.writeHead(problem.status, {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID_HEADER]: requestId,
    connection: 'close',
  })
  response.end(body)
  return requestId
}

const ID_BYTES = 16
/** Bytes of the next ids: drawing those of each id alone takes longer than the rest of it. */
const drawn = Buffer.alloc(ID_BYTES * 256)
let used = drawn.length

/** No UUID, which Node concatenates: JSON.stringify takes three times as long for an object with such a string. */
export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += ID_BYTES
  return drawn.toString('hex', used - ID_BYTES, used)
}

/** The one error handler: logs the error in full and sends the client a code and a safe text. */
export function answerThrown(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refused = error instanceof ThrownRefusal ? error.refused : frameworkRefusal(error)
  if (error.cause !== undefined && error instanceof ThrownRefusal)
    request.log.error({ event: 'fault', err: error.cause })
  if (refused !== undefined) return sendProblem(request, reply, refused)
  request.log.error({ event: 'fault', err: error })
  return sendProblem(
    request,
    reply,
    new Refused('server.fault', isDiskFull(error) ? DISK_FULL_DETAIL : FAULT_DETAIL),
  )
}

const SQLITE_FULL = 13

/** From the file system or from SQLite. */
function isDiskFull(error: Error): boolean {
  const { code, errcode } = Object(error)
  return code === 'ENOSPC' || errcode === SQLITE_FULL
}

const DISK_FULL_DETAIL =
  'The disk with the data folder is full, so nothing was stored. Free some space and try again.'

const FAULT_DETAIL =
  'Something went wrong inside the server. Try again; if it happens again, search logs/server.log in the data folder for the request id.'

const FRAMEWORK_REFUSALS: Record<string, Refused> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refused(
    'request.content-type',
    'A request body must be JSON: send it with Content-Type: application/json.',
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: new Refused(
    'request.too-large',
    'The request body is larger than 1 MiB. Send less at once.',
  ),
  FST_ERR_CTP_INVALID_JSON_BODY: new Refused(
    'request.malformed',
    'The request body is not valid JSON, or has a key named __proto__ or constructor. Correct it and send it again.',
  ),
  FST_ERR_MAX_PARAM_LENGTH: new Refused('route.unknown', 'A part of the address is too long.'),
  // Never sent: prevents an aborted download from being logged as a fault.
  ERR_STREAM_PREMATURE_CLOSE: new Refused('request.malformed', 'The connection was closed before the reply.'),
  FST_STATIC_FORBIDDEN_PATH: new Refused('route.unknown', 'There is nothing at this address.'),
}

/** Translates Fastify's own refusals; returns undefined for a fault. */
function frameworkRefusal(error: FastifyError): Refused | undefined {
  const known = FRAMEWORK_REFUSALS[error.code]
  if (known !== undefined) return known
  if ((error.statusCode ?? 500) >= 500) return undefined
  return new Refused('request.malformed', 'The request could not be understood. Check its address and body.')
}
