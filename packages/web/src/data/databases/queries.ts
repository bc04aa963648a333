import { type Id, type QueryResult, queries } from '@binnacle/contract'
import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ChangeOptions,
  type StartChange,
  useChange,
  useSentUnderWay,
  useSubjectsUnderWay,
} from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import { ApiError, problemText } from '#data/failure.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface QuerySent {
  connectionId: Id
  query: string
  /** Given to a backend that can cancel; one of the specification knows the query alone. */
  queryId?: string
  /** The table's name, typed again for a statement that would destroy. */
  confirm?: string
}

/** The backend runs a statement only after the person has typed a name. */
export interface NameWanted {
  sent: QuerySent
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

interface RunOptions extends ChangeOptions<QuerySent, QueryResult> {
  onNameWanted: (wanted: NameWanted) => void
}

export function useRunQuery(options: RunOptions): StartChange<QuerySent> {
  const client = useQueryClient()
  return useChange({
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
    onReply: (result, sent) => {
      client.setQueryData(resultKey(sent.connectionId), result)
      options.onDone(sent, result)
      // A statement may change anything. The result does not wait for what is loaded again.
      void reloadStore(client, sent.connectionId)
    },
    onFailure: (error, sent) => {
      const name = wantedName(error)
      if (name === undefined) options.onFailure(error)
      else options.onNameWanted({ sent, name, sentence: problemText(error) })
    },
  })
}

const QUERY_CANCEL = ['query-cancel']

export interface RunningQuery {
  connectionId: Id
  queryId: string
}

/** The running statement itself then answers that it was cancelled. */
export function useCancelQuery(options: ChangeOptions<RunningQuery>): StartChange<RunningQuery> {
  return useChange({
    key: QUERY_CANCEL,
    subject: ({ queryId }) => queryId,
    send: ({ connectionId, queryId }) => call(queries.cancel, { params: { conn: connectionId, queryId } }),
    onReply: (reply, sent) => options.onDone(sent, reply),
    onFailure: options.onFailure,
  })
}

/** The statement under way that can be cancelled. */
export function useRunningQueryId(connectionId: Id): string | undefined {
  // Only useRunQuery sends under this key.
  const running = useSentUnderWay(QUERY_RUN) as readonly QuerySent[]
  return running.find((sent) => sent.connectionId === connectionId)?.queryId
}

/** The latest result stays while other tabs are visited; only a newer one takes its place. */
export function useLastQueryResult(connectionId: Id): QueryResult | undefined {
  const { data } = useQuery<QueryResult>({
    queryKey: resultKey(connectionId),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  return data
}

export function useIsQueryRunning(connectionId: Id): boolean {
  return useSubjectsUnderWay(QUERY_RUN).has(String(connectionId))
}

function wantedName(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'statement.confirm') return undefined
  return error.problem.errors?.find(({ expected }) => expected !== undefined)?.expected
}

function resultKey(connectionId: Id) {
  return ['query-result', String(connectionId)] as const
}
