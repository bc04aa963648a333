import { type AuditVerdict, auditLogs, type Id, type RequestOf } from '@binnacle/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { type DownloadedFile, download } from './transport/download.ts'

export type AuditFilter = Omit<NonNullable<RequestOf<typeof auditLogs.list>['query']>, 'cursor' | 'limit'>

const PAGE = 50
const STRATEGY_LOG_LINES = 20
const POLL_MS = 5_000
const IDLE_MS = 30_000

export const auditQueries = {
  /** Newest first, in pages. */
  pages: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: ['audit-logs', filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          auditLogs.list,
          { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
          { signal },
        ),
      initialPageParam: 0,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
      meta: { onFailure: logOnly },
    }),
  /** STRAT-55: the latest records of one strategy. */
  strategy: (id: Id) =>
    queryOptions({
      queryKey: ['audit-logs', 'strategy', String(id)],
      queryFn: async ({ signal }) => {
        const query = { entity: 'strategy', target: String(id), limit: STRATEGY_LOG_LINES }
        return (await call(auditLogs.list, { query }, { signal })).logs
      },
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly },
    }),
}

export function useVerifyAudit(options: CommandOptions<null, AuditVerdict>): Command<null> {
  return useCommand({ key: VERIFY, send: (_: null) => call(auditLogs.verify, {}) }, options)
}

const VERIFY = ['audit-logs', 'verify']

export type AuditExport = { filter: AuditFilter; format: 'csv' | 'jsonl' }

export function useExportAudit(options: CommandOptions<AuditExport, DownloadedFile>): Command<AuditExport> {
  return useCommand(
    {
      key: EXPORT,
      send: ({ filter, format }: AuditExport) =>
        download(auditLogs.export, { query: { ...filter, format } }, IDLE_MS),
    },
    options,
  )
}

const EXPORT = ['audit-logs', 'export']
