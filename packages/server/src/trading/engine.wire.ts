import type { Component, EngineInfo, Instrument as WireInstrument } from '@binnacle/contract'
import { type ComponentView, componentConfig, type Instrument, quantityToNumber } from '@binnacle/engine'
import type { DeskClient } from '#trading/runtime/desk-client.ts'

export function infoToWire({ views, haltedBecause }: DeskClient, traderId: string): EngineInfo {
  const isRunning = haltedBecause === null && views.engine().isRunning
  return {
    trader_id: traderId,
    engine_type: 'embedded',
    status: haltedBecause === null ? (isRunning ? 'running' : 'stopped') : 'halted',
    is_running: isRunning,
    strategies_count: views.strategies().length,
  }
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
