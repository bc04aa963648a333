import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerClientError } from './client-error.ts'
import type { Door } from './door.ts'
import { methodAndPath } from './log.ts'
import { Refused, sendRawProblem } from './problems.ts'
import { corsHeaders, PREFLIGHT_HEADERS, SECURITY_HEADERS } from './reply-headers.ts'
import { closeServer, listenOnEvery } from './sockets.ts'

export interface Listener {
  port: number
  /** Takes no new requests, lets those in flight end, and cuts off what is left after the grace. */
  close(graceMs: number): Promise<void>
}

export interface ListenerOptions {
  app: FastifyInstance
  door: Door
  /** The first must be there; the others share its port and are left out where the machine lacks them. */
  addresses: readonly string[]
  /** 0 takes a port that is free on every address. */
  port: number
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUT_CHECK_MS = 5_000
/** Longer than the console's slowest poll, or a poll would often meet a connection that is just being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 60_000

/** Puts an app behind the door on one port of every address; rejects with Node's error when it is taken. */
export async function openListener({ app, door, addresses, port }: ListenerOptions): Promise<Listener> {
  await app.ready()
  const state: ListenerState = { isClosing: false, inFlight: new Map() }
  const opened = await listenOnEvery(addresses, port, () => createDoorServer(app, door, state))
  door.ownPorts.add(opened.port)
  return {
    port: opened.port,
    async close(graceMs) {
      state.isClosing = true
      for (const response of [...state.inFlight.values()].flat())
        if (!response.headersSent) response.setHeader('connection', 'close')
      await Promise.all(opened.servers.map((server) => closeServer(server, graceMs)))
      await app.close()
    },
  }
}

interface ListenerState {
  isClosing: boolean
  /**
   * By connection, which stays while replies come and go: a set of replies leaves outgrown tables behind that point at
   * each other, and once one is old every reply grows old with it, at a tenth of the processor.
   */
  inFlight: Map<Socket, ServerResponse[]>
}

const CLOSING = new Refused(
  'server.closing',
  'The server is shutting down. Send the request again when it is back.',
)

function createDoorServer(app: FastifyInstance, door: Door, state: ListenerState): Server {
  const refusalOf = (request: IncomingMessage) => (state.isClosing ? CLOSING : door.refusal(request))
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The door answers a request without Host itself, with a problem.
    requireHostHeader: false,
    // An upgrade that is not let in goes the way of every other request, and there is refused.
    shouldUpgradeCallback: (request) =>
      app.server.listenerCount('upgrade') > 0 && refusalOf(request) === undefined,
  })
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head))
  server.on('connection', (socket) => {
    state.inFlight.set(socket, [])
    socket.once('close', () => state.inFlight.delete(socket))
  })
  server.on('clientError', answerClientError)
  server.on('request', (request, response) => {
    follow(response, state)
    setHeaders(response, SECURITY_HEADERS)
    const refused = refusalOf(request)
    if (refused !== undefined) {
      const id = sendRawProblem(response, refused)
      app.log.info({ event: 'refused', request_id: id, code: refused.code, ...methodAndPath(request) })
    } else if (!isPreflightAnswered(door, request, response)) app.routing(request, response)
  })
  return server
}

/** A connection that was busy at the close would otherwise be kept alive after its last reply. */
function follow(response: ServerResponse, state: ListenerState): void {
  const { socket } = response.req
  const here = state.inFlight.get(socket) ?? []
  here.push(response)
  response.on('close', () => {
    here.splice(here.indexOf(response), 1)
    if (state.isClosing && here.length === 0) socket.destroySoon()
  })
}

/** Configured origins may read replies, and ask beforehand; nobody else gets a CORS header. */
function isPreflightAnswered(door: Door, request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (!door.isConfiguredOrigin(origin)) return false
  setHeaders(response, corsHeaders(origin))
  if (request.method !== 'OPTIONS') return false
  setHeaders(response, PREFLIGHT_HEADERS)
  response.writeHead(204).end()
  return true
}

function setHeaders(response: ServerResponse, headers: ReadonlyMap<string, string>): void {
  for (const [name, value] of headers) response.setHeader(name, value)
}
