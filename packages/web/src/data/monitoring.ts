import {
  auditLogs,
  type LogLine,
  type MeasuredRate,
  MONITORING_SERIES,
  monitoring,
  STREAM_LOG_LINES_MAX,
  samples,
} from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { streamQueries } from './stream/stream-queries.ts'
import { type DownloadedFile, download } from './transport/download.ts'
import { windowStart } from './window-start.ts'

/** The lengths of the drawn history, in seconds, and how often each is loaded again. */
export const HISTORY_RANGES = {
  '1h': { lengthS: 3600, pollMs: 5000 },
  '6h': { lengthS: 6 * 3600, pollMs: 15_000 },
  '24h': { lengthS: 24 * 3600, pollMs: 60_000 },
  '30d': { lengthS: 30 * 86_400, pollMs: 60_000 },
} as const
export type HistoryRange = keyof typeof HISTORY_RANGES

const POINTS = 240
const LOG_POLL_MS = 2000
const MAX_LOG_LINES = 2000

export const monitoringQueries = {
  all: ['monitoring'] as const,
  history: (range: HistoryRange, rates: readonly MeasuredRate[]) => {
    const series = [...Object.values(MONITORING_SERIES), ...rates.map((rate) => rate.series)].join(',')
    const { lengthS, pollMs } = HISTORY_RANGES[range]
    return queryOptions({
      queryKey: [...monitoringQueries.all, 'history', range, series],
      queryFn: ({ signal }) => {
        const from = windowStart(lengthS * 1000, pollMs)
        return call(samples.read, { query: { series, from, points: POINTS } }, { signal })
      },
      refetchInterval: pollMs,
      placeholderData: (last) => last,
      meta: { onFailure: logOnly, isPolled: true },
    })
  },
  /** Written by the stream too, while the screen shows them. */
  logs: () =>
    queryOptions({
      queryKey: [...monitoringQueries.all, 'logs'],
      queryFn: async ({ signal, client }) => {
        const { lines } = await call(monitoring.logs, { query: { limit: STREAM_LOG_LINES_MAX } }, { signal })
        return latestOf(client.getQueryData<LogLine[]>([...monitoringQueries.all, 'logs']), lines)
      },
      meta: { onFailure: logOnly, isPolled: true },
    }),
  auditOf: (requestId: string) =>
    queryOptions({
      queryKey: [...monitoringQueries.all, 'audit', requestId],
      queryFn: async ({ signal }) =>
        (await call(auditLogs.list, { query: { request_id: requestId } }, { signal })).logs,
      meta: { onFailure: logOnly },
    }),
}

/** The log lines, oldest first. Polled only while the stream does not send them. */
export function useLogLines() {
  const { data: stream } = useQuery(streamQueries.state())
  const isLive = stream?.kind === 'live'
  return useQuery({ ...monitoringQueries.logs(), refetchInterval: isLive ? false : LOG_POLL_MS })
}

/** Adds lines of the stream to those at hand. */
export function appendLines(known: readonly LogLine[] | undefined, added: readonly LogLine[]): LogLine[] {
  return [...(known ?? []), ...added].slice(-MAX_LOG_LINES)
}

/** A reply that was late must not take newer lines back. Numbers count within one run, so times are compared. */
function latestOf(known: LogLine[] | undefined, loaded: LogLine[]): LogLine[] {
  const [last, lastLoaded] = [known?.at(-1), loaded.at(-1)]
  const isOlder = last !== undefined && (lastLoaded === undefined || lastLoaded.at < last.at)
  return known !== undefined && isOlder ? known : loaded
}

export type ReportFile =
  | { kind: 'logs' }
  | { kind: 'support-bundle' }
  | { kind: 'daily'; date: string; format: 'html' | 'csv' }

/** Building a bundle reads all log files. */
const IDLE_TIMEOUT_MS = 60_000

/** Downloads a file of this screen. */
export function useReportDownload(options: CommandOptions<ReportFile, DownloadedFile>): Command<ReportFile> {
  return useCommand(
    {
      key: [...monitoringQueries.all, 'download'],
      subject: (file: ReportFile) => fileName(file),
      send: sendFor,
    },
    options,
  )
}

export function fileName(file: ReportFile): string {
  return file.kind === 'daily' ? `daily ${file.format}` : file.kind
}

function sendFor(file: ReportFile): Promise<DownloadedFile> {
  switch (file.kind) {
    case 'logs':
      return download(monitoring.logFile, {}, IDLE_TIMEOUT_MS)
    case 'support-bundle':
      return download(monitoring.supportBundle, {}, IDLE_TIMEOUT_MS)
    case 'daily':
      return download(
        monitoring.dailyReport,
        { query: { date: file.date, format: file.format } },
        IDLE_TIMEOUT_MS,
      )
    default:
      return file satisfies never
  }
}
