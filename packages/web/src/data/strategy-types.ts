import { type Config, type Id, type StrategyType, strategies, strategyTypes } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ActOptions, useAct } from './act.ts'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import { strategyQueries } from './strategies.ts'

const typesQuery = queryOptions({
  queryKey: ['strategy-types'],
  queryFn: async ({ signal }) => (await call(strategyTypes.list, {}, { signal })).strategy_types,
  staleTime: Number.POSITIVE_INFINITY,
  meta: { onFailure: logOnly },
})

const NONE: readonly StrategyType[] = []

/** The kinds of strategy that the backend tells the settings of; none in the baseline. */
export function useStrategyTypes(): readonly StrategyType[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'strategy-types')
  const { data = NONE } = useQuery({ ...typesQuery, enabled: isOffered })
  return data
}

interface Reconfiguration {
  id: Id
  config: Config
}

export function useReconfigureStrategy(options: ActOptions) {
  const send = ({ id, config }: Reconfiguration) =>
    call(strategies.update, { params: { id }, body: { config } })
  return useAct({ key: ['strategies', 'reconfigure'], send, touches: strategyQueries.all }, options)
}
