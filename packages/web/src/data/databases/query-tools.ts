import { type Id, type PlanStep, queries, savedQueries } from '@binnacle/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import { type Command, type CommandOptions, useCommand, usePendingSubjects } from '#data/command.ts'
import type { LoadOptions } from '#data/load.ts'
import { type DownloadedFile, download } from '#data/transport/download.ts'
import { connectionQueries } from './connections.ts'
import { type ExportChoice, exportOptions, idleTimeoutMs } from './export-choice.ts'
import type { QueryRequest } from './queries.ts'

export const savedQueryQueries = {
  within: (connectionId: Id) => [...connectionQueries.within(connectionId), 'saved-queries'] as const,
  list: (connectionId: Id, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: savedQueryQueries.within(connectionId),
      queryFn: async ({ signal }) =>
        (await call(savedQueries.list, { params: { conn: connectionId } }, { signal })).queries,
      meta: { onFailure },
    }),
}

export interface NamedQuery extends QueryRequest {
  name: string
}

export interface SavedQueryRef {
  connectionId: Id
  queryId: Id
}

export interface ExportRequest extends QueryRequest {
  choice: ExportChoice
}

const QUERY_TOOL = ['query-tool']
const KEYS = {
  format: [...QUERY_TOOL, 'format'],
  explain: [...QUERY_TOOL, 'explain'],
  export: [...QUERY_TOOL, 'export'],
  save: [...QUERY_TOOL, 'save'],
  delete: [...QUERY_TOOL, 'delete'],
}

const subject = ({ connectionId }: { connectionId: Id }) => String(connectionId)

export function useFormatQuery(options: CommandOptions<QueryRequest, string>): Command<QueryRequest> {
  return useCommand(
    {
      key: KEYS.format,
      subject,
      send: async ({ connectionId, query }) =>
        (await call(queries.format, { params: { conn: connectionId }, body: { query } })).query,
    },
    options,
  )
}

export function useExplainQuery(options: CommandOptions<QueryRequest, PlanStep>): Command<QueryRequest> {
  return useCommand(
    {
      key: KEYS.explain,
      subject,
      send: async ({ connectionId, query }) =>
        (await call(queries.explain, { params: { conn: connectionId }, body: { query } })).plan,
    },
    options,
  )
}

export function useExportQuery(
  options: CommandOptions<ExportRequest, DownloadedFile>,
): Command<ExportRequest> {
  return useCommand(
    {
      key: KEYS.export,
      subject,
      send: ({ connectionId, query, choice }) =>
        download(
          queries.export,
          { params: { conn: connectionId }, body: { query, ...exportOptions(choice) } },
          idleTimeoutMs(choice),
        ),
    },
    options,
  )
}

export function useSaveQuery(options: CommandOptions<NamedQuery>): Command<NamedQuery> {
  return useCommand(
    {
      key: KEYS.save,
      subject,
      send: ({ connectionId, name, query }) =>
        call(savedQueries.add, { params: { conn: connectionId }, body: { name, query } }),
      reload: reloadSavedQueries,
    },
    options,
  )
}

export function useDeleteSavedQuery(options: CommandOptions<SavedQueryRef>): Command<SavedQueryRef> {
  return useCommand(
    {
      key: KEYS.delete,
      subject,
      send: ({ connectionId, queryId }) =>
        call(savedQueries.remove, { params: { conn: connectionId, queryId } }),
      reload: reloadSavedQueries,
    },
    options,
  )
}

function reloadSavedQueries(client: QueryClient, { connectionId }: { connectionId: Id }): Promise<void> {
  return client.invalidateQueries({ queryKey: savedQueryQueries.within(connectionId) })
}

/** Whether any of these tools is pending for a connection. */
export function useIsToolBusy(connectionId: Id): boolean {
  return usePendingSubjects(QUERY_TOOL).has(String(connectionId))
}
