import { type Config, type Id, type StrategyType, strategies, strategyTypes } from '@binnacle/contract'
import { type ActOptions, useAct } from './changes/act.ts'
import { call } from './client.ts'
import { type LastingList, useAskedOnce } from './load.ts'
import { strategyQueries } from './strategies.ts'

const configurable: LastingList<StrategyType> = {
  key: 'strategy-types',
  capability: 'strategy-types',
  load: async (signal) => (await call(strategyTypes.list, {}, { signal })).strategy_types,
}

/** The kinds of strategy that the backend tells the settings of; none in the baseline. */
export function useStrategyTypes(): readonly StrategyType[] {
  return useAskedOnce(configurable)
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
