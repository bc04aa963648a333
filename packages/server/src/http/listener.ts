import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STREAM } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { answerClientError } from './client-error.ts'
import type { ChooseApp } from './engine-dispatch.ts'
import { methodAndPath } from './log.ts'
import { createServer } from './node-http.ts'
import { Refused, sendRawProblem } from './problems.ts'
import { corsHeaders, PREFLIGHT_HEADERS } from './reply-headers.ts'
import type { RequestGuard } from './request-guard.ts'
import { SecureResponse } from './secure-response.ts'
import { closeServer, listenOnEvery } from './sockets.ts'

export interface Listener {
  port: number
  /** Stops accepting requests, waits for those in flight and cuts them off after the grace period. */
  close(graceMs: number): Promise<void>
}

export interface ListenerOptions {
  /** A function creates it at the first request. */
  app: FastifyInstance | (() => FastifyInstance)
  /** Another app for some requests. */
  chooseApp?: ChooseApp | undefined
  guard: RequestGuard
  /** The first must exist; the others share its port and are skipped if the machine does not have them. */
  addresses: readonly string[]
  /** 0 selects a port that is free on every address. */
  port: number
  /** Called when the app of the first request cannot be created. */
  onFault?: (fault: unknown) => void
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUT_CHECK_MS = 5_000
/** Longer than the console's slowest poll, so that a poll does not race with the close of its connection. */
const KEEP_ALIVE_TIMEOUT_MS = 60_000

/** Serves an app behind the request guard on one port of every address; rejects with Node's error if it is in use. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { guard, addresses, port } = options
  const state: ListenerState = { isClosing: false, connections: new Map(), upgraded: new Set() }
  const app = new ListenerApp(options.app)
  if (typeof options.app !== 'function') await app.open()
  const opened = await listenOnEvery(addresses, port, () => createGuardedServer(app, options, state))
  guard.ownPorts.add(opened.port)
  return {
    port: opened.port,
    async close(graceMs) {
      state.isClosing = true
      for (const response of [...state.connections.values()].flatMap(({ responses }) => responses))
        if (!response.headersSent) response.setHeader('connection', 'close')
      // They end only by themselves, and a server waits for all its connections.
      for (const socket of state.upgraded) socket.destroy()
      await Promise.all(opened.servers.map((server) => closeServer(server, graceMs)))
      await app.opened?.close()
    },
  }
}

/** The app of a listener, which may be created later. */
class ListenerApp {
  readonly #given: ListenerOptions['app']
  #opening: Promise<FastifyInstance> | undefined
  /** Undefined until it is ready. */
  opened: FastifyInstance | undefined

  constructor(given: ListenerOptions['app']) {
    this.#given = given
  }

  open(): Promise<FastifyInstance> {
    this.#opening ??= this.#open().catch((fault: unknown) => {
      // The next request tries again.
      this.#opening = undefined
      throw fault
    })
    return this.#opening
  }

  async #open(): Promise<FastifyInstance> {
    const app = typeof this.#given === 'function' ? this.#given() : this.#given
    await app.ready()
    this.opened = app
    return app
  }
}

interface ListenerState {
  isClosing: boolean
  connections: Map<Socket, Connection>
  /** Connections that are no longer HTTP. */
  upgraded: Set<Duplex>
}

interface Connection {
  /**
   * Responses not sent yet, of running and of waiting requests. One Set for all connections would reallocate its hash table again and again; an old table
   * keeps every response alive until a major garbage collection, which cost 10 % of the processor.
   */
  readonly responses: ServerResponse[]
  /** Starts the requests that wait for their turn. */
  readonly waiting: (() => void)[]
}

/**
 * CALL-72: a bounded number of a connection's requests runs at a time and no further are read while others wait, so that
 * thousands of pipelined requests do not delay other connections. A browser sends one at a time, a program may pipeline.
 */
const MAX_RUNNING_PER_CONNECTION = 32

const NOT_CREATED = new Refused(
  'server.fault',
  'This listener could not be opened. Try again; if it happens again, search logs/server.log in the data folder.',
)

const CLOSING = new Refused(
  'server.closing',
  'The server is shutting down. Send the request again when it is back.',
)

function createGuardedServer(
  listenerApp: ListenerApp,
  { chooseApp, guard, onFault = () => {} }: ListenerOptions,
  state: ListenerState,
): Server {
  const chosenFor = (request: IncomingMessage, app: FastifyInstance) => {
    const chosen = chooseApp?.(request) ?? 'listener'
    return chosen === 'listener' ? app : chosen
  }
  const appOrRefusal = (request: IncomingMessage, app: FastifyInstance) =>
    (state.isClosing ? CLOSING : guard.refusal(request)) ?? chosenFor(request, app)
  const server = createServer({
    ServerResponse: SecureResponse,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The request guard answers a missing Host header with a problem document.
    requireHostHeader: false,
    // RFC 9110: an upgrade that is not accepted is ignored, and its request handled as any other.
    shouldUpgradeCallback: (request) => {
      if (!opensStream(request)) return false
      const app = listenerApp.opened
      if (app === undefined || app.server.listenerCount('upgrade') === 0) return false
      return !(appOrRefusal(request, app) instanceof Refused)
    },
  })
  server.on('upgrade', (request, socket, head) => {
    state.upgraded.add(socket)
    socket.once('close', () => state.upgraded.delete(socket))
    const app = listenerApp.opened
    const chosen = app && chosenFor(request, app)
    if (chosen === undefined || chosen instanceof Refused) socket.destroy()
    else chosen.server.emit('upgrade', request, socket, head)
  })
  server.on('connection', (socket) => {
    state.connections.set(socket, { responses: [], waiting: [] })
    socket.once('close', () => state.connections.delete(socket))
  })
  server.on('clientError', answerClientError)
  const answerBy = (app: FastifyInstance, request: IncomingMessage, response: ServerResponse) => {
    const chosen = appOrRefusal(request, app)
    if (chosen instanceof Refused) {
      const id = sendRawProblem(response, chosen)
      app.log.info({ event: 'refused', request_id: id, code: chosen.code, ...methodAndPath(request) })
    } else if (!isPreflightAnswered(guard, request, response)) chosen.routing(request, response)
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (listenerApp.opened !== undefined) answerBy(listenerApp.opened, request, response)
    else
      listenerApp.open().then(
        (app) => answerBy(app, request, response),
        (fault: unknown) => {
          onFault(fault)
          sendRawProblem(response, NOT_CREATED)
        },
      )
  }
  server.on('request', (request, response) => {
    const connection = state.connections.get(request.socket)
    if (connection === undefined) return
    trackResponse(response, connection, state)
    if (connection.waiting.length === 0 && connection.responses.length <= MAX_RUNNING_PER_CONNECTION) {
      answer(request, response)
    } else {
      connection.waiting.push(() => answer(request, response))
      request.socket.pause()
    }
  })
  return server
}

function opensStream({ method, url = '', headers }: IncomingMessage): boolean {
  const [path] = url.split('?')
  return method === 'GET' && path === STREAM.path && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Ends a connection after its last reply once the listener is closing; keep-alive would leave it open. */
function trackResponse(response: ServerResponse, connection: Connection, state: ListenerState): void {
  const { socket } = response.req
  const { responses, waiting } = connection
  responses.push(response)
  response.on('close', () => {
    responses.splice(responses.indexOf(response), 1)
    if (state.isClosing && responses.length === 0) socket.destroySoon()
    // In the next turn of the event loop: other connections come first.
    if (waiting.length > 0) setImmediate(runNext, connection, socket)
  })
}

function runNext(connection: Connection, socket: Socket): void {
  const { responses, waiting } = connection
  if (socket.destroyed || responses.length - waiting.length >= MAX_RUNNING_PER_CONNECTION) return
  waiting.shift()?.()
  if (waiting.length === 0) socket.resume()
}

/** Answers preflight requests and sets CORS headers, for configured origins only. */
function isPreflightAnswered(
  guard: RequestGuard,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = request.headers
  if (!guard.isConfiguredOrigin(origin)) return false
  setHeaders(response, corsHeaders(origin))
  if (request.method !== 'OPTIONS') return false
  setHeaders(response, PREFLIGHT_HEADERS)
  response.writeHead(204).end()
  return true
}

function setHeaders(response: ServerResponse, headers: ReadonlyMap<string, string>): void {
  for (const [name, value] of headers) response.setHeader(name, value)
}
