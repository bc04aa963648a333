import { type Id, type QueryResult, queries } from '@binnacle/contract'
import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import { type Command, type CommandOptions, useCommand, usePendingRequests } from '#data/command.ts'
import { ApiError, problemText } from '#data/failure.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface QueryRequest {
  connectionId: Id
  query: string
  /** For a backend that can cancel; a baseline backend takes only the query. */
  queryId?: string
  /** The table name typed to confirm a destructive statement. */
  confirm?: string
}

/** The backend runs the statement only after the user has typed this name. */
export interface NameConfirmation {
  sent: QueryRequest
  name: string
  sentence: string | undefined
}

export const queryHistoryQueries = {
  list: (connectionId: Id, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...connectionQueries.within(connectionId), 'history'],
      queryFn: async ({ signal }) =>
        (await call(queries.history, { params: { conn: connectionId } }, { signal })).history,
      meta: { onFailure },
    }),
}

const QUERY_RUN = ['query-run']

interface RunOptions extends CommandOptions<QueryRequest, QueryResult> {
  onConfirmationRequired: (wanted: NameConfirmation) => void
}

export function useRunQuery(options: RunOptions): Command<QueryRequest> {
  const client = useQueryClient()
  return useCommand(
    {
      key: QUERY_RUN,
      subject: ({ connectionId }) => String(connectionId),
      send: ({ connectionId, query, queryId, confirm }) =>
        call(queries.run, {
          params: { conn: connectionId },
          body: {
            query,
            ...(queryId !== undefined && { query_id: queryId }),
            ...(confirm !== undefined && { confirm }),
          },
        }),
    },
    {
      onDone: (result, sent) => {
        client.setQueryData(resultKey(sent.connectionId), result)
        options.onDone?.(result, sent)
        // A statement may change anything. Not awaited: the result is shown before the lists are loaded again.
        void reloadStore(client, sent.connectionId)
      },
      onFailure: (error, sent, context) => {
        const name = confirmationName(error)
        if (name === undefined) return options.onFailure(error, sent, context)
        options.onConfirmationRequired({ sent, name, sentence: problemText(error) })
        return undefined
      },
    },
  )
}

const QUERY_CANCEL = ['query-cancel']

export interface RunningQuery {
  connectionId: Id
  queryId: string
}

/** Nothing to reload: the running statement answers that it was cancelled. */
export function useCancelQuery(options: CommandOptions<RunningQuery>): Command<RunningQuery> {
  return useCommand(
    {
      key: QUERY_CANCEL,
      subject: ({ queryId }) => queryId,
      send: ({ connectionId, queryId }) => call(queries.cancel, { params: { conn: connectionId, queryId } }),
    },
    options,
  )
}

/** The running statement that can be cancelled. */
export function useRunningQueryId(connectionId: Id): string | undefined {
  // Only useRunQuery sends under this key.
  const running = usePendingRequests(QUERY_RUN) as readonly QueryRequest[]
  return running.find((sent) => sent.connectionId === connectionId)?.queryId
}

/** The latest result, kept in the cache while other tabs are open. */
export function useLastQueryResult(connectionId: Id): QueryResult | undefined {
  const { data } = useQuery<QueryResult>({
    queryKey: resultKey(connectionId),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  return data
}

/** Removes the latest result if it is an error, which a new action on the statement makes stale. */
export function useClearQueryError(connectionId: Id): () => void {
  const client = useQueryClient()
  return () => {
    const queryKey = resultKey(connectionId)
    const result = client.getQueryData<QueryResult>(queryKey)
    if (result && !result.success) void client.resetQueries({ queryKey, exact: true })
  }
}

function confirmationName(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'statement.confirm') return undefined
  return error.problem.errors?.find(({ expected }) => expected !== undefined)?.expected
}

function resultKey(connectionId: Id) {
  return ['query-result', String(connectionId)] as const
}
