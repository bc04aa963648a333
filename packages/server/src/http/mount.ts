import {
  type Call,
  type Endpoint,
  IDEMPOTENCY_HEADER,
  idOf,
  type ParsedRequest,
  type ReplyInputOf,
} from '@binnacle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Act } from '#audit/act.ts'
import { Attachment, sendAttachment } from './attachment.ts'
import { LongWork, sendLongWork } from './long-work.ts'
import { Refused, sendProblem } from './problems.ts'
import { parseRequest } from './validation.ts'

export type Handler<E extends Endpoint> = (
  request: ParsedRequest<E>,
  act: Act,
  /** The client's Idempotency-Key: the same key twice is the same command twice. */
  key: string | undefined,
  /** Hears of a client that is gone before it was answered. */
  onGone: (act: () => void) => void,
) => Answer<E> | Promise<Answer<E>>

type Answer<E extends Endpoint> = ReplyInputOf<E> | Attachment | LongWork | Refused

/**
 * Serves one call of the contract: the request reaches the handler validated, and the reply goes out as
 * its schema says, so that a field the contract does not name never leaves the server.
 */
export function mount<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  record(app, endpoint, 'built')
  const action = idOf(endpoint) ?? `${endpoint.method} ${endpoint.path}`
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      const parsed = parseRequest(endpoint, request)
      const outcome =
        parsed instanceof Refused
          ? parsed
          : await handler(parsed, actOf(action, request), keyOf(request), hearGone(reply))
      if (outcome instanceof Refused) return sendProblem(request, reply, outcome)
      if (outcome instanceof Attachment) return sendAttachment(reply, outcome)
      if (outcome instanceof LongWork) return sendLongWork(reply, outcome)
      return reply.code(endpoint.status).send(endpoint.reply.parse(outcome))
    },
  })
}

/** Answers every call of a table that no handler serves yet, so that a gap is told and never a silence. */
export function mountUnbuilt(app: FastifyInstance, calls: readonly Call[]): void {
  for (const { endpoint } of calls) {
    if (mountedOn(app).has(endpoint)) continue
    record(app, endpoint, 'unbuilt')
    const { method, path } = endpoint
    const refused = new Refused(
      'route.not-built',
      `${method} ${path} is planned, but this version has no answer to it.`,
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

/** Until there is sign-in, whoever reaches this machine's loopback is its one user and may do all. */
function actOf(action: string, request: FastifyRequest): Act {
  return { actor: 'local', role: 'admin', address: request.ip, action, requestId: request.id }
}

function hearGone({ raw }: FastifyReply) {
  return (act: () => void) =>
    void raw.once('close', () => {
      if (!raw.writableFinished) act()
    })
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_HEADER]
  return typeof key === 'string' && key !== '' ? key : undefined
}

const mounts = new WeakMap<FastifyInstance, Map<Endpoint, MountKind>>()

function record(app: FastifyInstance, endpoint: Endpoint, kind: MountKind): void {
  const mounted = mounts.get(app) ?? new Map<Endpoint, MountKind>()
  if (mounted.has(endpoint)) throw new Error(`${endpoint.method} ${endpoint.path} is mounted twice`)
  mounts.set(app, mounted.set(endpoint, kind))
}
