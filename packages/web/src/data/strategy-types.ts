import { type Config, type Id, type StrategyType, strategies, strategyTypes } from '@binnacle/contract'
import type { Backend } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { type StaticList, staticListQuery, useStaticList } from './load.ts'
import { reloadStrategies } from './strategies.ts'

const configurable: StaticList<StrategyType> = {
  key: 'strategy-types',
  capability: 'strategy-types',
  load: async (signal) => (await call(strategyTypes.list, {}, { signal })).strategy_types,
}

export const strategyTypesQuery = (backend: Backend | undefined) => staticListQuery(configurable, backend)

/** Strategy types with their parameters; empty in the baseline. */
export function useStrategyTypes(): readonly StrategyType[] {
  return useStaticList(configurable)
}

const RECONFIGURE = ['strategies', 'reconfigure']

interface Reconfiguration {
  id: Id
  config: Config
}

export function useReconfigureStrategy(options: CommandOptions<Reconfiguration>): Command<Reconfiguration> {
  return useCommand(
    {
      key: RECONFIGURE,
      send: ({ id, config }) => call(strategies.update, { params: { id }, body: { config } }),
      reload: reloadStrategies,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const RENAME = ['strategies', 'rename']
const LIMIT_LOSS = ['strategies', 'limit-loss']

interface LossLimit {
  id: Id
  limit: number | null
}

export interface NewName {
  id: Id
  name: string
}

/** STRAT-54 */
export function useRenameStrategy(options: CommandOptions<NewName>): Command<NewName> {
  return useCommand(
    {
      key: RENAME,
      subject: ({ id }) => String(id),
      send: ({ id, name }) => call(strategies.rename, { params: { id }, body: { name } }),
      reload: reloadStrategies,
      reloadsAfterFailure: true,
    },
    options,
  )
}

/** RISK-68 */
export function useLimitLoss(options: CommandOptions<LossLimit>): Command<LossLimit> {
  return useCommand(
    {
      key: LIMIT_LOSS,
      subject: ({ id }) => String(id),
      send: ({ id, limit }) => call(strategies.limitLoss, { params: { id }, body: { limit } }),
      reload: reloadStrategies,
      reloadsAfterFailure: true,
    },
    options,
  )
}
