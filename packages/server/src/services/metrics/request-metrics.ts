import type { RouteLatency } from '@binnacle/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { onEachCall } from '#http/call-hooks.ts'
import { DurationHistogram } from './duration-histogram.ts'
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
  /** The durations of all replies since the start. */
  durations(): ReplyDurations[]
}

export interface ReplyDurations {
  method: string
  /** As declared in the contract; 'site' for everything else. */
  path: string
  status: number
  histogram: DurationHistogram
}

/** What is measured of one route. A reply adds to plain numbers; the rest is derived when it is read. */
class MeasuredRoute {
  readonly method: string
  readonly path: string
  readonly latency = new LatencyWindow()
  readonly errors = new LatencyWindow()
  readonly histograms = new Map<number, DurationHistogram>()

  constructor(method: string, path: string) {
    this.method = method
    this.path = path
  }

  add(status: number, durationMs: number, nowMs: number): void {
    this.latency.add(durationMs, nowMs)
    if (status >= 500) this.errors.add(durationMs, nowMs)
    let histogram = this.histograms.get(status)
    if (histogram === undefined) {
      histogram = new DurationHistogram()
      this.histograms.set(status, histogram)
    }
    histogram.add(durationMs / 1000)
  }
}

declare module 'fastify' {
  interface FastifyReply {
    /** The declared call that it answers; null for everything else. */
    measuredRoute: MeasuredRoute | null
  }
}

const SITE = 'site'

export function createRequestMetrics(now: () => number = Date.now): RequestMetrics {
  const startedAt = now()
  const routes = new Map<string, MeasuredRoute>()
  let [total, errors, open] = [0, 0, 0]

  function routeOf(method: string, path: string): MeasuredRoute {
    const name = `${method} ${path}`
    const known = routes.get(name) ?? new MeasuredRoute(method, path)
    routes.set(name, known)
    return known
  }

  const site = routeOf('GET', SITE)

  function countClose(): void {
    open -= 1
  }

  function measure({ measuredRoute, statusCode, elapsedTime }: FastifyReply): void {
    if (statusCode >= 500) errors += 1
    const route = measuredRoute ?? site
    route.add(statusCode, elapsedTime, now())
  }

  return {
    follow(app) {
      app.decorateReply('measuredRoute', null)
      app.addHook('onRequest', (_request, { raw }, done) => {
        total += 1
        open += 1
        raw.on('close', countClose)
        done()
      })
      onEachCall(app, ({ method, path }) => {
        // Created at the first request: most of the calls are never made, and each has tables of counts.
        let route: MeasuredRoute | undefined
        return (_request, reply, done) => {
          route ??= routeOf(method, path)
          reply.measuredRoute = route
          done()
        }
      })
      app.addHook('onResponse', (_request, reply, done) => {
        measure(reply)
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
    durations: () =>
      [...routes.values()].flatMap(({ method, path, histograms }) =>
        [...histograms].map(([status, histogram]) => ({ method, path, status, histogram })),
      ),
  }
}

function latencyToWire(
  { method, path, latency, errors }: MeasuredRoute,
  at: number,
  windowS: number,
): RouteLatency {
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
