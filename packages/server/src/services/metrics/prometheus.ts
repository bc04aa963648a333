import { VERSION } from '@binnacle/contract'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GaugeFigure, RateCounter } from './figure.ts'
import type { MeasuredReply } from './request-metrics.ts'
import type { MeasuredSizes } from './store-sizes.ts'

/** What Prometheus reads. */
export interface Exposition {
  contentType: string
  text: string
}

export interface Prometheus {
  observe(reply: MeasuredReply): void
  read(): Promise<Exposition>
  close(): void
}

export interface PrometheusOptions {
  rates: readonly RateCounter[]
  gauges: readonly GaugeFigure[]
  sizes: () => MeasuredSizes
  /** Requests that wait for their reply. */
  open: () => number
}

/** In seconds. The console's calls take milliseconds, statements and backups up to half a minute. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const LOOP_PRECISION_MS = 20
/** MON-20: gauges that end like counters. The same counts by type are in the metrics without _total. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Own figures begin with binnacle_; those of the process and of Node have prom-client's usual names. */
export function createPrometheus({ rates, gauges, sizes, open }: PrometheusOptions): Prometheus {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const durations = new Histogram({
    name: 'binnacle_http_request_duration_seconds',
    help: 'Time from the request to its reply, by declared route',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const addGauge = (name: string, help: string, value: () => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const current = value()
        // A figure that is not known has no sample.
        if (current === null) this.remove()
        else this.set(current)
      },
    })

  new Gauge({ name: 'binnacle_info', help: 'The version', labelNames: ['version'], registers }).set(
    { version: VERSION },
    1,
  )
  addGauge('binnacle_http_requests_open', 'Requests that wait for their reply', open)
  addGauge(
    'binnacle_disk_free_bytes',
    'Free space on the disk of the data folder',
    () => sizes().disk?.free ?? null,
  )
  new Gauge({
    name: 'binnacle_store_size_bytes',
    help: 'Size of the files of a store, measured once a minute',
    labelNames: ['store'],
    registers,
    collect() {
      for (const { name, bytes } of sizes().stores) this.set({ store: name.toLowerCase() }, bytes)
    },
  })
  for (const { metric, help, value } of gauges) addGauge(metric, help, value)
  for (const { metric, help, total } of rates) {
    new Counter({
      name: metric,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(total())
      },
    })
  }

  return {
    observe({ method, path, status, seconds }) {
      durations.observe({ method, route: path, status: String(status) }, seconds)
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    close: () => registry.clear(),
  }
}
