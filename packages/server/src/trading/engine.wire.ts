import type { Component, EngineCounts, EngineInfo, Instrument as WireInstrument } from '@binnacle/contract'
import {
  type ComponentView,
  componentConfig,
  type Desk,
  type Instrument,
  quantityToNumber,
} from '@binnacle/engine'

export function infoToWire({ views }: Desk, traderId: string): EngineInfo {
  const { haltReason } = views
  const engine = views.engine()
  const isRunning = haltReason === null && engine.isRunning
  const { identity } = engine
  return {
    trader_id: identity?.traderId ?? traderId,
    engine_type: identity?.type ?? 'embedded',
    status: identity?.status ?? (haltReason === null ? (isRunning ? 'running' : 'stopped') : 'halted'),
    is_running: isRunning,
    ...(identity?.readOnlyBecause != null && { read_only_reason: identity.readOnlyBecause }),
    strategies_count: views.strategies().length,
    account: engine.account,
    features: Object.fromEntries(engine.features.map(({ name, isEnabled }) => [name, isEnabled])),
    services: Object.fromEntries(
      engine.services.map(({ name, isRunning: runs }) => [name, runs ? 'running' : 'stopped']),
    ),
  }
}

/** Beside the identity in the reply of the call alone: the stream has the rows themselves. */
export function countsToWire({ views }: Desk): EngineCounts {
  return {
    running_strategies: count(views.strategies(), ({ status }) => status === 'running'),
    working_orders: count(views.orders(), ({ status }) => status === 'PENDING'),
    open_positions: views.positions().length,
  }
}

function count<Row>(rows: readonly Row[], isCounted: (row: Row) => boolean): number {
  return rows.reduce((sum, row) => sum + Number(isCounted(row)), 0)
}

export function componentToWire({ name, type, status, config }: ComponentView): Component {
  return { id: name, name, type, status, config: componentConfig(name, config) }
}

const MILLION = 1_000_000

export function instrumentToWire(instrument: Instrument): WireInstrument {
  return {
    id: instrument.id,
    symbol: instrument.symbol,
    venue: instrument.venue,
    kind: instrument.kind.toLowerCase(),
    base_currency: instrument.base,
    quote_currency: instrument.quote,
    tick_size: Number(instrument.tick.units) / 1e8,
    lot_size: Number(instrument.lot.units) / 1e8,
    min_quantity: quantityToNumber(instrument.minQuantity, instrument.lot),
    maker_fee: Number(instrument.makerFeePpm) / MILLION,
    taker_fee: Number(instrument.takerFeePpm) / MILLION,
    margin_rate: Number(instrument.marginRatePpm) / MILLION,
  }
}
