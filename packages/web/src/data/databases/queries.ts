import { type Id, type QueryResult, queries } from '@binnacle/contract'
import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/change.ts'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'

export interface QuerySent {
  connectionId: Id
  query: string
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

export function useRunQuery(options: ChangeOptions<QuerySent, QueryResult>): StartChange<QuerySent> {
  const client = useQueryClient()
  return useChange({
    key: QUERY_RUN,
    subject: ({ connectionId }) => String(connectionId),
    send: ({ connectionId, query }) => call(queries.run, { params: { conn: connectionId }, body: { query } }),
    onReply: (result, sent) => {
      client.setQueryData(resultKey(sent.connectionId), result)
      options.onDone(sent, result)
      // A statement may change anything. The result does not wait for what is loaded again.
      void client.invalidateQueries({ queryKey: connectionQueries.within(sent.connectionId) })
    },
    onFailure: options.onFailure,
  })
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

function resultKey(connectionId: Id) {
  return ['query-result', String(connectionId)] as const
}
