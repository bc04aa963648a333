import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { adminRoutes } from './admin.ts'
import { type Call, type CalledOptions, CallLog } from './call-log.ts'
import { type CallPattern, matchCall } from './call-pattern.ts'
import { databaseRoutes } from './database.ts'
import { NOT_FOUND, type Routes } from './handlers.ts'
import { readCall, sendReply } from './http.ts'
import { type Reply, ReplyOverrides } from './reply-overrides.ts'
import { type SeedName, seedState } from './seed/seed.ts'
import { requireSite, serveSite } from './site.ts'
import type { Addresses, State } from './state.ts'
import { tradingRoutes } from './trading.ts'

export interface FailOptions extends Reply {
  /** How often, before the usual answer comes back; always if not given. */
  times?: number
}

/**
 * A server with the calls of the specification's section 7 and no others, whose replies a test can override.
 * It also serves the built console, so that a journey needs one origin only.
 */
export class SpecificationBackend {
  readonly origin: string
  /** Refuses every connection: the address of a service that is down. */
  readonly deadOrigin: string
  state: State
  readonly #servers: [Server, SocketServer]
  readonly #log = new CallLog()
  readonly #overrides = new ReplyOverrides()
  readonly #arrangedPaths = new Set<string>()

  static async start(): Promise<SpecificationBackend> {
    requireSite()
    const server = createServer()
    const dead = createSocketServer((socket) => socket.resetAndDestroy())
    const [origin, deadOrigin] = await Promise.all([listen(server), listen(dead)])
    return new SpecificationBackend([server, dead], { origin, deadOrigin })
  }

  private constructor(servers: [Server, SocketServer], { origin, deadOrigin }: Addresses) {
    this.#servers = servers
    this.origin = origin
    this.deadOrigin = deadOrigin
    this.state = seedState('usual', this)
    servers[0].on('request', (request, response) => void this.#serve(request, response))
  }

  /** Clears overrides, the call log and changed state, and starts from a seed. */
  reset(seed: SeedName = 'usual'): void {
    this.#overrides.clear()
    this.#servers[0].closeAllConnections()
    this.#log.clear()
    this.#arrangedPaths.clear()
    this.state = seedState(seed, this)
  }

  /** Answers with this failure: 500 unless another status is given, text unless a body is. */
  fail(pattern: CallPattern, { times, ...answer }: FailOptions = {}): void {
    const status = answer.status ?? 500
    const content = answer.body === undefined ? { text: 'failure set by the test' } : {}
    this.#overrides.arrange(pattern, { ...content, ...answer, status }, times)
  }

  /** Answers with exactly this, e.g. { body: [] }, { status: 204 } or { text: 'no JSON' }. */
  reply(pattern: CallPattern, { times, ...answer }: FailOptions): void {
    this.#overrides.arrange(pattern, answer, times)
  }

  /** Cuts the connection without an answer. */
  drop(pattern: CallPattern, times?: number): void {
    this.#overrides.arrange(pattern, 'drop', times)
  }

  /** Takes the call and never answers. */
  hang(pattern: CallPattern, times?: number): void {
    this.#overrides.arrange(pattern, 'hang', times)
  }

  /** Holds answers back until the returned function is called. */
  hold(pattern: CallPattern): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#overrides.delay(pattern, () => promise)
    return resolve
  }

  /** No API answers any more; the site's files still come. */
  goAway(): void {
    this.drop('*')
  }

  /** Ends what fail, reply, drop, hang, hold and goAway began, for one pattern or for all. */
  recover(pattern?: CallPattern): void {
    this.#overrides.clear(pattern)
  }

  count(pattern: CallPattern = '*'): number {
    return this.calls(pattern).length
  }

  calls(pattern: CallPattern = '*'): Call[] {
    return this.#log.matching(pattern)
  }

  /** Waits until the pattern was called, `times` times since the test began, and gives that call. */
  called(pattern: CallPattern, options?: CalledOptions): Promise<Call> {
    return this.#log.called(pattern, options)
  }

  /** Waits until the browser has given up an unanswered call of the pattern. */
  abandoned(pattern: CallPattern): Promise<Call> {
    const find = (): Call | undefined => this.calls(pattern).find((call) => call.abandoned)
    return this.#log.until(find, () => `${pattern} was not given up`)
  }

  /** Whether a failed request to this path is expected: the test arranged it, or the seed has it. */
  isKnownFailure(url: string): boolean {
    const { origin, pathname } = new URL(url)
    if (origin === this.deadOrigin) return true
    // The console requests it from every backend; the specification does not have it.
    const isSeeded = pathname === '/api/capabilities' || pathname === '/services/ailing/api/health'
    return isSeeded || this.#arrangedPaths.has(pathname)
  }

  clearCalls(): void {
    this.#log.clear()
  }

  async stop(): Promise<void> {
    this.#servers[0].closeAllConnections()
    await Promise.all(this.#servers.map((server) => new Promise((done) => server.close(done))))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Chromium sends a request again by itself when a connection that it used before is cut.
    response.shouldKeepAlive = false
    const url = new URL(request.url ?? '/', this.origin)
    if (!isApiPath(url.pathname)) return serveSite(url.pathname, request.headers.accept ?? '', response)
    const call = await readCall(request, url)
    response.on('close', () => {
      call.abandoned = !response.writableFinished && call.status !== 'cut'
      this.#log.changed()
    })
    this.#log.add(call)
    await this.#overrides.wait(call)
    this.#reply(call, response)
  }

  #reply(call: Call, response: ServerResponse): void {
    const outcome = this.#overrides.outcomeOf(call)
    call.arranged = outcome !== undefined
    if (call.arranged) this.#arrangedPaths.add(call.path)
    if (outcome === 'hang') return
    const answer = outcome ?? this.#usualReply(call)
    call.status = answer === 'drop' ? 'cut' : (answer.status ?? 200)
    if (answer === 'drop') response.socket?.resetAndDestroy()
    else sendReply(response, answer)
  }

  #usualReply({ method, path, query, body }: Call): Reply {
    for (const [pattern, handler] of Object.entries(ROUTES)) {
      const params = matchCall(pattern, method, path)
      if (params) return handler({ params, query, body, state: this.state })
    }
    return NOT_FOUND
  }
}

const ROUTES: Routes = {
  'GET /config.json': () => ({ body: { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' } }),
  ...tradingRoutes,
  ...adminRoutes,
  ...databaseRoutes,
}

function isApiPath(path: string): boolean {
  return path === '/health' || path === '/config.json' || /^\/(api|services)\//.test(path)
}

async function listen(server: Server | SocketServer): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  // A listening TCP server's address is an object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
