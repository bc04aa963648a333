import { parseChange, parseSnapshot, type ServerFrame } from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { appendLines, monitoringQueries } from '#data/monitoring.ts'

/** Writes the log lines of the stream to the query that polling writes too. */
export function applyLogs(client: QueryClient, frame: ServerFrame): void {
  if ((frame.type !== 'snapshot' && frame.type !== 'change') || frame.topic !== 'logs') return
  const parse = frame.type === 'snapshot' ? parseSnapshot : parseChange
  const lines = parse('logs', frame.data)?.lines
  if (lines === undefined) return
  const { queryKey } = monitoringQueries.logs()
  client.setQueryData(queryKey, (known) => (frame.type === 'snapshot' ? lines : appendLines(known, lines)))
}
