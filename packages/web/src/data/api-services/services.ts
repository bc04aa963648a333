import { services } from '@binnacle/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'

/** Services, routes and health share one key, so that Refresh reloads all of them. */
export const apiServiceQueries = {
  all: ['api-services'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...apiServiceQueries.all, 'list'],
      queryFn: async ({ signal }) => (await call(services.list, {}, { signal })).endpoints,
      meta: { onFailure },
    }),
}

export function useReloadApiServices(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: apiServiceQueries.all })
}
