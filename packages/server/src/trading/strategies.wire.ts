import type { NewStrategy, Strategy, StrategyParameter, StrategyType } from '@binnacle/contract'
import {
  type AddStrategy,
  type IdempotencyKey,
  idFrom,
  type Parameter,
  type StrategyKind,
  type StrategyView,
} from '@binnacle/engine'
import { decimalToWire } from './decimal.wire.ts'

export function strategyToWire(view: StrategyView): Strategy {
  return {
    id: view.id,
    name: view.name,
    type: view.type,
    description: view.description,
    config: JSON.parse(view.config),
    status: view.status,
    reason: view.reason,
    note: noteFor(view),
    performance: {
      total_pnl: decimalToWire(view.pnl),
      total_trades: view.trades,
      win_rate: view.winRate ?? 0,
      net_realized_pnl: view.exactNet,
      unrealized_pnl: decimalToWire(view.unrealised),
      fills: view.fills,
      open_positions: view.openPositions,
      working_orders: view.workingOrders,
    },
  }
}

export function addStrategyFromWire(body: NewStrategy, key: string | undefined): AddStrategy {
  const { name, type: strategyType, description, config } = body
  const keyed = key === undefined ? {} : { key: idFrom<IdempotencyKey>(key) }
  return { type: 'AddStrategy', name, strategyType, description, config, ...keyed }
}

export function kindToWire(kind: StrategyKind): StrategyType {
  return {
    type: kind.type,
    title: kind.title,
    about: kind.about,
    earns_when: kind.earnsWhen,
    loses_when: kind.losesWhen,
    parameters: kind.parameters.map(parameterToWire),
  }
}

function parameterToWire(parameter: Parameter): StrategyParameter {
  const { name, kind, description: sentence } = parameter
  return {
    ...{ name, kind, sentence, default: parameter.default },
    ...('min' in parameter && { min: parameter.min, max: parameter.max }),
    ...('maxLength' in parameter && { max_length: parameter.maxLength }),
    ...('choices' in parameter && { choices: [...parameter.choices] }),
  }
}

function noteFor({ warmUp, status, openPositions }: StrategyView): string | null {
  if (warmUp !== null) return `Warming up: ${warmUp.received} of ${warmUp.needed} bars`
  if (status === 'running' || openPositions === 0) return null
  return openPositions === 1
    ? 'Stopped with an open position.'
    : `Stopped with ${openPositions} open positions.`
}
