import type { RouteLatency } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { LatencyWindow, WINDOW_MS } from './latency-window.ts'

/** Counts the requests of all listeners and measures how long their replies take. */
export interface RequestMetrics {
  /** Measures every request of an app. */
  follow(app: FastifyInstance): void
  /** Requests since the start. */
  readonly total: number
  /** Replies with a status of 500 and above since the start. */
  readonly errors: number
  /** Requests that wait for their reply. */
  readonly open: number
  /** The latency per route over the last hour, the most frequent first. */
  routes(): RouteLatency[]
}

export interface RequestMetricsOptions {
  now?: () => number
  /** Called for each reply. */
  onReply?: (reply: MeasuredReply) => void
}

export interface MeasuredReply {
  method: string
  /** As declared in the contract; 'site' for everything else. */
  path: string
  status: number
  seconds: number
}

interface Route {
  method: string
  path: string
  latency: LatencyWindow
  errors: LatencyWindow
}

const SITE = 'site'

export function createRequestMetrics({
  now = Date.now,
  onReply,
}: RequestMetricsOptions = {}): RequestMetrics {
  const startedAt = now()
  const routes = new Map<string, Route>()
  let [total, errors, open] = [0, 0, 0]

  function routeOf(method: string, path: string): Route {
    const name = `${method} ${path}`
    const known = routes.get(name)
    if (known !== undefined) return known
    const added = { method, path, latency: new LatencyWindow(), errors: new LatencyWindow() }
    routes.set(name, added)
    return added
  }

  return {
    follow(app) {
      app.addHook('onRequest', (_request, { raw }, done) => {
        total += 1
        open += 1
        raw.once('close', () => {
          open -= 1
        })
        done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        const { endpoint } = request.routeOptions.config
        const [method, path] = endpoint === undefined ? ['GET', SITE] : [endpoint.method, endpoint.path]
        const route = routeOf(method, path)
        route.latency.add(reply.elapsedTime, now())
        if (reply.statusCode >= 500) {
          errors += 1
          route.errors.add(reply.elapsedTime, now())
        }
        onReply?.({ method, path, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
        done()
      })
    },
    get total() {
      return total
    },
    get errors() {
      return errors
    },
    get open() {
      return open
    },
    routes() {
      const at = now()
      const windowS = Math.max(1, Math.min(WINDOW_MS, at - startedAt) / 1000)
      return [...routes.values()]
        .map((route) => latencyToWire(route, at, windowS))
        .filter(({ replies }) => replies > 0)
        .sort((one, other) => other.replies - one.replies)
    },
  }
}

function latencyToWire({ method, path, latency, errors }: Route, at: number, windowS: number): RouteLatency {
  const { count, values } = latency.percentiles([0.5, 0.95, 0.99], at)
  const [p50 = 0, p95 = 0, p99 = 0] = values
  return {
    method,
    path,
    replies: count,
    per_second: count / windowS,
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    errors: errors.percentiles([], at).count,
  }
}
