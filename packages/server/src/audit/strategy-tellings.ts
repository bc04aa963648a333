import type { EventType } from '@binnacle/engine'
import { consequence, parsed, type Tellings } from './telling.ts'

/** What people do with strategies; what strategies do themselves is nobody's act. */
export const STRATEGY_TELLINGS: Pick<Tellings, Extract<EventType, `Strategy${string}`>> = {
  StrategyAdded: ({ strategy, name, strategyType, description, config }) => ({
    action: 'strategies.add',
    ...{ entity: 'strategy', target: strategy, before: null },
    after: { name, type: strategyType, description, config: parsed(config) },
  }),
  StrategyStarted: ({ strategy, before }) => ({
    action: 'strategies.start',
    ...{ entity: 'strategy', target: strategy, before: { status: before }, after: { status: 'running' } },
  }),
  StrategyStopped: ({ strategy, why, before }, _, all) =>
    all.some(({ type }) => type === 'StrategyRemoved')
      ? undefined
      : {
          action: 'strategies.stop',
          ...{ entity: 'strategy', target: strategy, before: { status: before } },
          after: { status: 'stopped', ...(why !== null && { why }) },
        },
  StrategyFailed: consequence,
  StrategyReconfigured: ({ strategy, config, before }) => ({
    action: 'strategies.reconfigure',
    ...{ entity: 'strategy', target: strategy },
    before: { config: parsed(before) },
    after: { config: parsed(config) },
  }),
  StrategyRemoved: ({ strategy, name }) => ({
    action: 'strategies.remove',
    ...{ entity: 'strategy', target: strategy, before: { name }, after: null },
  }),
}
