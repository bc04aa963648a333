import { queryOptions } from '@tanstack/react-query'
import { logOnly } from './failure.ts'
import { loadAddresses } from './transport/addresses.ts'

export const addressQueries = {
  /** The base URL of each API, as this console uses it. */
  all: () =>
    queryOptions({
      queryKey: ['addresses'],
      queryFn: loadAddresses,
      staleTime: Number.POSITIVE_INFINITY,
      meta: { onFailure: logOnly },
    }),
}
