import type { IncomingMessage } from 'node:http'
import {
  type Call,
  type Endpoint,
  IDEMPOTENCY_HEADER,
  idOf,
  type ParsedRequest,
  type ReplyInputOf,
} from '@binnacle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { Attachment, sendAttachment } from './attachment.ts'
import { JobReply, sendJobReply } from './job-reply.ts'
import { Refused, sendProblem, ThrownRefusal } from './problems.ts'
import { sendUnconfirmed, Unconfirmed } from './unconfirmed.ts'
import { parseRequest } from './validation.ts'
import { Versioned } from './versions.ts'

export type Handler<E extends Endpoint> = (
  request: ParsedRequest<E>,
  context: HandlerContext,
) => Answer<E> | Promise<Answer<E>>

/** What a handler knows of its request apart from the parsed values. */
export interface HandlerContext {
  /** Who sends the request: the audit record of whatever it changes starts with this. */
  readonly audit: AuditContext
  /** The client's Idempotency-Key: a repeated key is the same command and is executed once. */
  readonly idempotencyKey: string | undefined
  /** The client's If-Match: the version that a change expects. */
  readonly ifMatch: string | undefined
  /** Aborts when the client goes away before its reply is sent. */
  readonly signal: AbortSignal
  /** The body of a call that consumes a file, unread. */
  readonly file: IncomingMessage
}

type Answer<E extends Endpoint> =
  | ReplyInputOf<E>
  | Versioned<ReplyInputOf<E>>
  | Attachment
  | JobReply
  | Refused
  | Unconfirmed

/**
 * Serves one call of the contract: the request reaches the handler validated, and the reply goes out as
 * its schema says, so that a field the contract does not name never leaves the server.
 */
export function mount<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  record(app, endpoint, 'built')
  const action = idOf(endpoint) ?? `${endpoint.method} ${endpoint.path}`
  addRoute(app, endpoint, {
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: (request, reply) => {
      const parsed = parseRequest(endpoint, request)
      const outcome =
        parsed instanceof Refused ? parsed : handler(parsed, new RequestContext(action, request, reply))
      if (outcome instanceof Promise) return outcome.then((settled) => answer(request, reply, settled))
      answer(request, reply, outcome)
      // A reply is thenable: returned, it would be awaited.
      return undefined
    },
  })

  function answer(request: FastifyRequest, reply: FastifyReply, outcome: Answer<E>) {
    if (outcome instanceof Refused) return sendProblem(request, reply, outcome)
    if (outcome instanceof Attachment) return sendAttachment(reply, outcome)
    if (outcome instanceof JobReply) return sendJobReply(reply, outcome)
    if (outcome instanceof Unconfirmed) return sendUnconfirmed(reply, outcome)
    if (!(outcome instanceof Versioned)) return send(endpoint, reply, outcome)
    return send(endpoint, reply.header('etag', outcome.etag), outcome.reply)
  }
}

/** A call that consumes a file has a scope of its own: every other call accepts JSON only. */
function addRoute(app: FastifyInstance, { consumes }: Endpoint, route: RouteOptions): void {
  if (consumes === undefined) {
    app.route(route)
    return
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(consumes, (_request, _body, done) => done(null, undefined))
    const refused = new Refused(
      'request.content-type',
      `Send the file itself with Content-Type: ${consumes}.`,
    )
    scope.addContentTypeParser('*', (_request, _body, done) => done(new ThrownRefusal(refused)))
    scope.route(route)
  })
}

function send(endpoint: Endpoint, reply: FastifyReply, outcome: unknown): FastifyReply {
  return reply.code(endpoint.status).send(endpoint.reply.parse(outcome))
}

/** Answers every call of a table that no handler serves yet with 501. */
export function mountUnbuilt(app: FastifyInstance, calls: readonly Call[]): void {
  for (const { endpoint } of calls) {
    if (mountedOn(app).has(endpoint)) continue
    record(app, endpoint, 'unbuilt')
    const { method, path } = endpoint
    const refused = new Refused(
      'route.not-built',
      `${method} ${path} is planned but not part of this version.`,
    )
    app.route({
      method,
      url: path,
      config: { endpoint },
      handler: (request, reply) => sendProblem(request, reply, refused),
    })
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call that a route serves. */
    endpoint?: Endpoint
  }
}

export type MountKind = 'built' | 'unbuilt'

/** What an app serves, for the checks that walk the contract. */
export function mountedOn(app: FastifyInstance): ReadonlyMap<Endpoint, MountKind> {
  return mounts.get(app) ?? new Map()
}

/** A class, since an object with a getter of its own would get a hidden class per request, which outlives it. */
class RequestContext implements HandlerContext {
  readonly audit: AuditContext
  readonly idempotencyKey: string | undefined
  readonly ifMatch: string | undefined
  readonly file: IncomingMessage
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(action: string, request: FastifyRequest, reply: FastifyReply) {
    this.audit = auditContextOf(action, request)
    this.idempotencyKey = keyOf(request)
    this.ifMatch = request.headers['if-match']
    this.file = request.raw
    this.#reply = reply
  }

  /** Created on first use: most handlers reply at once and never read it. */
  get signal(): AbortSignal {
    this.#signal ??= abortOnDisconnect(this.#reply)
    return this.#signal
  }
}

/** There is no sign-in yet: a client that reaches this machine's loopback is its one user and an administrator. */
function auditContextOf(action: string, request: FastifyRequest): AuditContext {
  return { actor: 'local', role: 'admin', address: request.ip, action, requestId: request.id }
}

function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const control = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) control.abort()
  })
  return control.signal
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_HEADER]
  // CALL-150: a client that sends one expects to be protected by it.
  if (key === '') throw BLANK_KEY
  return typeof key === 'string' ? key : undefined
}

const BLANK_KEY = new ThrownRefusal(
  new Refused('request.invalid', 'The Idempotency-Key is empty. Send a new one, or none.', [
    { field: `header.${IDEMPOTENCY_HEADER}`, message: 'is empty' },
  ]),
)

const mounts = new WeakMap<FastifyInstance, Map<Endpoint, MountKind>>()

function record(app: FastifyInstance, endpoint: Endpoint, kind: MountKind): void {
  const mounted = mounts.get(app) ?? new Map<Endpoint, MountKind>()
  if (mounted.has(endpoint)) throw new Error(`${endpoint.method} ${endpoint.path} is mounted twice`)
  mounts.set(app, mounted.set(endpoint, kind))
}
