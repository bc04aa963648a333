import { VERSION } from '@binnacle/contract'
import { printHistograms } from './duration-histogram.ts'
import type { GaugeFigure, RateCounter } from './figure.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { MeasuredSizes } from './store-sizes.ts'

/** What Prometheus reads. */
export interface Exposition {
  contentType: string
  text: string
}

export interface Prometheus {
  read(): Promise<Exposition>
  close(): void
}

export interface PrometheusOptions {
  rates: readonly RateCounter[]
  gauges: readonly GaugeFigure[]
  sizes: () => MeasuredSizes
  requests: Pick<RequestMetrics, 'open' | 'durations'>
}

const LOOP_PRECISION_MS = 20
/** MON-20: gauges that end like counters. The same counts by type are in the metrics without _total. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The library is loaded at the first read: most servers are never read, and all would wait for it when they start. */
export function createPrometheus(options: PrometheusOptions): Prometheus {
  let opened: ReturnType<typeof createRegistry> | undefined
  return {
    async read() {
      opened ??= createRegistry(options)
      const registry = await opened
      return {
        contentType: registry.contentType,
        text: `${await registry.metrics()}\n${printDurations(options.requests)}`,
      }
    },
    close() {
      void opened?.then(
        (registry) => registry.clear(),
        () => {},
      )
    },
  }
}

/** Own figures begin with binnacle_; those of the process and of Node have prom-client's usual names. */
async function createRegistry({ rates, gauges, sizes, requests }: PrometheusOptions) {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
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
  addGauge('binnacle_http_requests_open', 'Requests that wait for their reply', () => requests.open)
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

  return registry
}

function printDurations({ durations }: PrometheusOptions['requests']): string {
  return printHistograms(
    'binnacle_http_request_duration_seconds',
    'Time from the request to its reply, by declared route',
    durations().map(({ method, path, status, histogram }) => ({
      labels: `method="${method}",route="${path}",status="${status}"`,
      histogram,
    })),
  )
}
