import { type ExportFormat, maintenance } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { type DownloadedFile, download } from './transport/download.ts'

/** The kind of job that an export runs as. */
export const EXPORT_JOB = 'maintenance.export.data'

const ALL = ['data-exports']
const POLL_MS = 5000
/** A file of a slow disk. */
const IDLE_TIMEOUT_MS = 60_000

const listQuery = queryOptions({
  queryKey: ALL,
  queryFn: ({ signal }) => call(maintenance.exports, {}, { signal }),
  refetchInterval: POLL_MS,
  meta: { onFailure: logOnly, isPolled: true },
})

/** What can be exported and the files that were; undefined until loaded. */
export function useExports() {
  const { data } = useQuery(listQuery)
  return { stores: data?.stores, files: data?.files }
}

export interface DataExportRequest {
  stores: string[]
  format: ExportFormat
}

export function useDataExport(
  options: CommandOptions<DataExportRequest, string | undefined>,
): Command<DataExportRequest> {
  return useCommand(
    {
      key: [...ALL, 'start'],
      idempotency: { by: 'request' },
      send: async (body, key) => (await call(maintenance.exportData, { body }, { key })).message,
      reload: (client) => client.invalidateQueries({ queryKey: ALL }),
    },
    options,
  )
}

export function useExportDownload(options: CommandOptions<string, DownloadedFile>): Command<string> {
  return useCommand(
    {
      key: [...ALL, 'download'],
      subject: (name) => name,
      send: (name) => download(maintenance.exportFile, { params: { name } }, IDLE_TIMEOUT_MS),
    },
    options,
  )
}
