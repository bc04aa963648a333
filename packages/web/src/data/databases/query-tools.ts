import {
  type ExportFormat,
  type Id,
  type PlanStep,
  queries,
  type ReplyOf,
  savedQueries,
} from '@binnacle/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { type DownloadedFile, download } from '#data/transport/download.ts'
import { connectionQueries } from './connections.ts'
import type { QuerySent } from './queries.ts'

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

export interface NamedQuery extends QuerySent {
  name: string
}

export interface SavedQueryRef {
  connectionId: Id
  queryId: Id
}

export interface ExportSent extends QuerySent {
  format: ExportFormat
}

const QUERY_TOOL = ['query-tool']
const KEYS = {
  format: [...QUERY_TOOL, 'format'],
  explain: [...QUERY_TOOL, 'explain'],
  export: [...QUERY_TOOL, 'export'],
  save: [...QUERY_TOOL, 'save'],
  forget: [...QUERY_TOOL, 'forget'],
}

const subject = ({ connectionId }: { connectionId: Id }) => String(connectionId)

export function useFormatQuery(options: ChangeOptions<QuerySent, string>): StartChange<QuerySent> {
  return useChange<QuerySent, ReplyOf<typeof queries.format>>({
    key: KEYS.format,
    subject,
    send: ({ connectionId, query }) =>
      call(queries.format, { params: { conn: connectionId }, body: { query } }),
    onReply: (reply, sent) => options.onDone(sent, reply.query),
    onFailure: options.onFailure,
  })
}

export function useExplainQuery(options: ChangeOptions<QuerySent, PlanStep>): StartChange<QuerySent> {
  return useChange<QuerySent, ReplyOf<typeof queries.explain>>({
    key: KEYS.explain,
    subject,
    send: ({ connectionId, query }) =>
      call(queries.explain, { params: { conn: connectionId }, body: { query } }),
    onReply: (reply, sent) => options.onDone(sent, reply.plan),
    onFailure: options.onFailure,
  })
}

export function useExportQuery(options: ChangeOptions<ExportSent, DownloadedFile>): StartChange<ExportSent> {
  return useChange<ExportSent, DownloadedFile>({
    key: KEYS.export,
    subject,
    send: ({ connectionId, query, format }) =>
      download(queries.export, { params: { conn: connectionId }, body: { query, format } }),
    onReply: (file, sent) => options.onDone(sent, file),
    onFailure: options.onFailure,
  })
}

export function useSaveQuery(options: ChangeOptions<NamedQuery>): StartChange<NamedQuery> {
  const client = useQueryClient()
  return useChange<NamedQuery, unknown>({
    key: KEYS.save,
    subject,
    send: ({ connectionId, name, query }) =>
      call(savedQueries.add, { params: { conn: connectionId }, body: { name, query } }),
    onReply: (reply, sent) => {
      options.onDone(sent, reply)
      return client.invalidateQueries({ queryKey: savedQueryQueries.within(sent.connectionId) })
    },
    onFailure: options.onFailure,
  })
}

export function useForgetQuery(options: ChangeOptions<SavedQueryRef>): StartChange<SavedQueryRef> {
  const client = useQueryClient()
  return useChange<SavedQueryRef, unknown>({
    key: KEYS.forget,
    subject,
    send: ({ connectionId, queryId }) =>
      call(savedQueries.remove, { params: { conn: connectionId, queryId } }),
    onReply: (reply, sent) => {
      options.onDone(sent, reply)
      return client.invalidateQueries({ queryKey: savedQueryQueries.within(sent.connectionId) })
    },
    onFailure: options.onFailure,
  })
}

/** Whether any of these is under way for a connection. */
export function useIsToolBusy(connectionId: Id): boolean {
  return useSubjectsUnderWay(QUERY_TOOL).has(String(connectionId))
}
