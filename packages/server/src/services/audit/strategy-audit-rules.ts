import type { EventType } from '@binnacle/engine'
import { type AuditRules, consequence, parseConfig } from './audit-rule.ts'

/** Records what people do with strategies. Actions of the strategies themselves are not audited. */
export const STRATEGY_AUDIT_RULES: Pick<AuditRules, Extract<EventType, `Strategy${string}`>> = {
  StrategyAdded: ({ strategy, name, strategyType, description, config }) => ({
    action: 'strategies.add',
    entity: 'strategy',
    target: strategy,
    before: null,
    after: { name, type: strategyType, description, config: parseConfig(config) },
  }),
  StrategyStarted: ({ strategy, before }) => ({
    action: 'strategies.start',
    entity: 'strategy',
    target: strategy,
    before: { status: before },
    after: { status: 'running' },
  }),
  StrategyStopped: ({ strategy, why, before }, _, all) =>
    all.some(({ type }) => type === 'StrategyRemoved')
      ? undefined
      : {
          action: 'strategies.stop',
          entity: 'strategy',
          target: strategy,
          before: { status: before },
          after: { status: 'stopped', ...(why !== null && { why }) },
        },
  StrategyFailed: consequence,
  StrategyReconfigured: ({ strategy, config, before }) => ({
    action: 'strategies.reconfigure',
    entity: 'strategy',
    target: strategy,
    before: { config: parseConfig(before) },
    after: { config: parseConfig(config) },
  }),
  StrategyRenamed: ({ strategy, name, before }) => ({
    action: 'strategies.rename',
    entity: 'strategy',
    target: strategy,
    before: { name: before },
    after: { name },
  }),
  StrategyLossLimited: ({ strategy, limit, before }) => ({
    action: 'strategies.limitLoss',
    entity: 'strategy',
    target: strategy,
    before: { loss_limit: before },
    after: { loss_limit: limit },
  }),
  StrategyRemoved: ({ strategy, name }) => ({
    action: 'strategies.remove',
    entity: 'strategy',
    target: strategy,
    before: { name },
    after: null,
  }),
}
