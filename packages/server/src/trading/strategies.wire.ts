import type {
  DeletedStrategy,
  DeniedOrders,
  NewStrategy,
  Strategy,
  StrategyParameter,
  StrategyType,
} from '@binnacle/contract'
import {
  type AddStrategy,
  type IdempotencyKey,
  INTERVALS,
  type Instrument,
  idFrom,
  type Parameter,
  type RemovedStrategyView,
  type StrategyKindRow,
  type StrategyView,
} from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
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
    loss_limit: view.lossLimit,
    orders_denied: view.denials && deniedToWire(view.denials),
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

function deniedToWire({
  count,
  name,
  sentence,
  nextTryAt,
}: NonNullable<StrategyView['denials']>): DeniedOrders {
  return { count, name, sentence, next_try_at: nextTryAt === null ? null : isoTime(nextTryAt) }
}

export function removedStrategyToWire(view: RemovedStrategyView): DeletedStrategy {
  return {
    id: view.id,
    name: view.name,
    type: view.type,
    deleted_at: isoTime(view.removedAt),
    performance: {
      total_pnl: decimalToWire(view.pnl),
      total_trades: view.trades,
      win_rate: view.winRate,
      fills: view.fills,
    },
  }
}

export function addStrategyFromWire(
  body: NewStrategy,
  key: string | undefined,
  minNumber: number,
): AddStrategy {
  const { name, type: strategyType, description, config } = body
  const keyed = key === undefined ? {} : { key: idFrom<IdempotencyKey>(key) }
  return { type: 'AddStrategy', name, strategyType, description, config, minNumber, ...keyed }
}

export function kindToWire(kind: StrategyKindRow, instruments: readonly Instrument[]): StrategyType {
  return {
    type: kind.type,
    title: kind.title,
    about: kind.about,
    earns_when: kind.earnsWhen,
    loses_when: kind.losesWhen,
    parameters: kind.parameters.map((parameter) => parameterToWire(parameter, instruments)),
  }
}

function parameterToWire(parameter: Parameter, instruments: readonly Instrument[]): StrategyParameter {
  return {
    name: parameter.name,
    label: parameter.label,
    kind: parameter.kind,
    sentence: parameter.description,
    default: parameter.default,
    min: 'min' in parameter ? parameter.min : undefined,
    max: 'max' in parameter ? parameter.max : undefined,
    max_length: 'maxLength' in parameter ? parameter.maxLength : undefined,
    choices: 'choices' in parameter ? [...parameter.choices] : undefined,
    allowed: allowedValues(parameter, instruments),
  }
}

function allowedValues({ kind }: Parameter, instruments: readonly Instrument[]): string[] | undefined {
  if (kind === 'interval') return [...INTERVALS]
  return kind === 'instrument' || kind === 'instruments' ? instruments.map(({ id }) => id) : undefined
}

function noteFor({ warmUp, status, openPositions }: StrategyView): string | null {
  if (warmUp !== null) return `Warming up: ${warmUp.received} of ${warmUp.needed} bars`
  if (status === 'running' || openPositions === 0) return null
  return openPositions === 1
    ? 'Stopped with an open position.'
    : `Stopped with ${openPositions} open positions.`
}
