import { monitoring } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Attachment } from '#http/attachment.ts'
import type { LogTail } from '#http/log-tail.ts'
import { mount } from '#http/mount.ts'
import { invalidFields } from '#http/validation.ts'
import type { Metrics } from '#services/metrics/metrics.ts'
import { packTarGz } from '#services/tar.ts'
import {
  type DailyReportSources,
  readDailyReport,
  reportToCsv,
  reportToHtml,
} from './reports/daily-report.ts'
import { readLogFiles } from './reports/log-files.ts'
import { type BundleSources, bundleFiles } from './reports/support-bundle.ts'

export interface MonitoringRouteOptions {
  metrics: Metrics
  logs: LogTail
  logFolder: string
  report: DailyReportSources
  bundle: Omit<BundleSources, 'readMonitoring' | 'readPrometheus'>
}

/** Capability `monitoring`. */
export function addMonitoringRoutes(app: FastifyInstance, options: MonitoringRouteOptions): void {
  const { metrics, logs, logFolder } = options
  mount(app, monitoring.read, () => metrics.read())
  mount(app, monitoring.logs, ({ query }) => ({ lines: logs.latest(query) }))
  mount(
    app,
    monitoring.logFile,
    () => new Attachment('binnacle.log', 'application/x-ndjson', readLogFiles(logFolder)),
  )

  mount(app, monitoring.supportBundle, () => {
    const at = new Date()
    const files = bundleFiles({
      ...options.bundle,
      readMonitoring: () => metrics.read(),
      readPrometheus: () => metrics.prometheus(),
    })
    return new Attachment(`binnacle-support-${dayOf(at)}.tar.gz`, 'application/gzip', packTarGz(files, at))
  })

  mount(app, monitoring.dailyReport, async ({ query: { date, format } }) => {
    if (date > dayOf(new Date()))
      return invalidFields([{ field: 'query.date', message: 'must not be in the future' }])
    const report = await readDailyReport(options.report, date)
    const name = `binnacle-daily-${date}.${format}`
    return format === 'html'
      ? Attachment.ofText(name, 'text/html; charset=utf-8', reportToHtml(report))
      : Attachment.ofText(name, 'text/csv; charset=utf-8', reportToCsv(report))
  })
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
