import type { FetchQueryOptions, QueryClient, QueryKey, QueryMeta } from '@tanstack/react-query'
import { type Backend, backendInPage } from './capabilities.ts'
import { createQueryClient } from './query-client.ts'
import { dropPageReplies, readPageReplies } from './transport/page-data.ts'

/** Starts the loads of what a screen of this backend shows first. */
export type FirstLoads = (load: Load, backend: Backend) => void

type Load = <Reply, Failure, Data, Key extends QueryKey>(
  query: FetchQueryOptions<Reply, Failure, Data, Key>,
) => void

/** A slower reply is shown when it comes. */
const MAX_WAIT_MS = 250

/**
 * SHELL-111: a cache with what the first rendering shows, so that nothing is rendered twice. Undefined unless the page's
 * own server is the backend, whose replies came with the page (SHELL-43).
 */
export async function loadFirst(start: FirstLoads): Promise<QueryClient | undefined> {
  const backend = backendInPage()
  if (backend === undefined) return undefined
  const client = createQueryClient()
  const { queries, ...others } = client.getDefaultOptions()
  client.setDefaultOptions({ ...others, queries: { ...queries, refetchOnMount: false } })
  const loads: Promise<void>[] = []
  readPageReplies()
  start(
    ({ meta, ...query }) => loads.push(client.prefetchQuery({ ...query, meta: withoutFailure(meta) })),
    backend,
  )
  await Promise.race([Promise.all(loads), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
  dropPageReplies()
  return client
}

/** The screen loads again what failed here, and says so. */
function withoutFailure({ onFailure: _, ...meta }: QueryMeta = {}): QueryMeta {
  return meta
}

/** From now on a part that appears loads what it shows, also what is known. */
export function endFirstRendering(client: QueryClient): void {
  const { refetchOnMount: _, ...queries } = client.getDefaultOptions().queries ?? {}
  client.setDefaultOptions({ ...client.getDefaultOptions(), queries })
}
