import { type MeasuredRate, MONITORING_SERIES, type Monitoring } from '@binnacle/contract'
import type { SampleSource } from '#services/samples/sampler.ts'
import type { Samples } from '#storage/samples/samples.ts'
import type { GaugeFigure, RateCounter } from './figure.ts'
import { createProcessMeter, type ProcessFigures } from './process-meter.ts'
import { createPrometheus, type Exposition } from './prometheus.ts'
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts'
import { type MeasuredSizes, measureSizes } from './store-sizes.ts'
import { createUptime } from './uptime.ts'

/** What the server measures of itself. */
export interface Metrics {
  readonly requests: RequestMetrics
  /** Measures and records once a second, as a source of the sampler. */
  readonly source: SampleSource
  read(): Promise<Monitoring>
  prometheus(): Promise<Exposition>
  close(): void
}

export interface MetricsOptions {
  dataFolder: string
  samples: Samples
  rates: readonly RateCounter[]
  gauges: readonly GaugeFigure[]
  now?: () => number
}

const SIZES_INTERVAL_MS = 60_000

export function openMetrics({ dataFolder, samples, rates, gauges, now = Date.now }: MetricsOptions): Metrics {
  const startedAt = new Date(now()).toISOString()
  const meter = createProcessMeter()
  const uptime = createUptime(samples, now)
  let sizes: MeasuredSizes = { stores: [], disk: null }
  let sizesAt = Number.NEGATIVE_INFINITY
  let figures: ProcessFigures | undefined
  let last = { at: now(), requests: 0, errors: 0, totals: rates.map((rate) => rate.total()) }
  let perSecond = { requests: 0, errors: 0, rates: rates.map(() => 0) }

  const requests = createRequestMetrics(now)
  const prometheus = createPrometheus({ rates, gauges, sizes: () => sizes, requests })

  function measureRates(): void {
    const at = now()
    const seconds = Math.max(0.001, (at - last.at) / 1000)
    const next = {
      at,
      requests: requests.total,
      errors: requests.errors,
      totals: rates.map((rate) => rate.total()),
    }
    perSecond = {
      requests: (next.requests - last.requests) / seconds,
      errors: (next.errors - last.errors) / seconds,
      // An engine that was restarted may count from zero again.
      rates: next.totals.map((total, index) => Math.max(0, total - (last.totals[index] ?? 0)) / seconds),
    }
    last = next
  }

  function measureSizesWhenDue(): void {
    if (now() - sizesAt < SIZES_INTERVAL_MS) return
    sizesAt = now()
    void measureSizes(dataFolder).then((measured) => {
      sizes = measured
    })
  }

  function measure(): ProcessFigures {
    measureRates()
    measureSizesWhenDue()
    figures = meter.read()
    return figures
  }

  return {
    requests,
    source: {
      read() {
        const { processPercent, machinePercent, residentBytes, heapBytes, machineUsedBytes, loopDelay } =
          measure()
        const values: [string, number][] = [
          [MONITORING_SERIES.cpu, processPercent],
          [MONITORING_SERIES.machineCpu, machinePercent],
          [MONITORING_SERIES.memory, residentBytes],
          ['memory.heap', heapBytes],
          ['memory.machine', machineUsedBytes],
          [MONITORING_SERIES.requests, perSecond.requests],
          ['requests.errors', perSecond.errors],
          [MONITORING_SERIES.loopDelay, loopDelay.p99Ms],
          ...rates.map(({ series }, index): [string, number] => [series, perSecond.rates[index] ?? 0]),
        ]
        if (sizes.disk !== null) values.push(['disk.free', sizes.disk.free])
        if (sizes.stores.length > 0) values.push(['stores.bytes', totalBytes(sizes)])
        return { values: new Map(values) }
      },
    },
    async read() {
      const shown = figures ?? measure()
      const routes = requests.routes()
      return {
        as_of: new Date(last.at).toISOString(),
        started_at: startedAt,
        cpu: {
          process_percent: shown.processPercent,
          machine_percent: shown.machinePercent,
          cores: meter.cores,
        },
        memory: {
          resident: shown.residentBytes,
          heap_used: shown.heapBytes,
          machine_used: shown.machineUsedBytes,
          machine_total: meter.machineBytes,
        },
        requests: {
          per_second: perSecond.requests,
          error_percent: errorPercent(routes),
          open: requests.open,
        },
        uptime: await uptime(),
        loop_delay: {
          p50_ms: shown.loopDelay.p50Ms,
          p99_ms: shown.loopDelay.p99Ms,
          max_ms: shown.loopDelay.maxMs,
        },
        routes,
        rates: rates.map(
          ({ name, unit, series }, index): MeasuredRate => ({
            name,
            unit,
            series,
            per_second: perSecond.rates[index] ?? 0,
          }),
        ),
        stores: [...sizes.stores],
        disk: sizes.disk,
      }
    },
    prometheus: () => prometheus.read(),
    close() {
      meter.close()
      prometheus.close()
    },
  }
}

function totalBytes({ stores }: MeasuredSizes): number {
  return stores.reduce((sum, { bytes }) => sum + bytes, 0)
}

function errorPercent(routes: Monitoring['routes']): number {
  const errors = routes.reduce((sum, route) => sum + route.errors, 0)
  const replies = routes.reduce((sum, route) => sum + route.replies, 0)
  return replies === 0 ? 0 : (errors / replies) * 100
}
