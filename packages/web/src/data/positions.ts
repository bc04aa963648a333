import { type Done, type Id, positions } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 3000
const CLOSE = ['positions', 'close']

export const positionQueries = {
  all: ['positions'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: positionQueries.all,
      queryFn: async ({ signal }) => (await call(positions.list, {}, { signal })).positions,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

export function useClosePosition(options: CommandOptions<Id, Done>): Command<Id> {
  return useCommand(
    {
      key: CLOSE,
      subject: String,
      send: (id) => call(positions.close, { params: { id } }),
      reload: (client) => client.invalidateQueries({ queryKey: positionQueries.all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}
