import { type ComponentName, type FeatureName, type OrderId, standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import type { InMemoryDesk } from '#testkit/in-memory-desk.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import type { Sample } from './admin-samples.ts'

type SampleOf = (desk: InMemoryDesk, nth: number) => Sample | Promise<Sample>

/**
 * A request that changes something, for every call of the trading API that can and is built. What it acts on is made
 * first. The test that walks the contract fails for a call that has none here.
 */
export const TRADING_SAMPLES: Record<string, SampleOf> = {
  'engine.initialize': async (desk) => {
    await stop(desk, 'Portfolio')
    return { body: {} }
  },
  'strategies.add': () => ({ body: aNewStrategy() }),
  'nautilusStrategies.add': () => ({ body: aNewStrategy() }),
  'strategies.start': async (desk) => ({ params: { id: await aStrategy(desk) } }),
  'strategies.stop': async (desk) => ({ params: { id: await aStrategy(desk, true) } }),
  'strategies.update': async (desk) => ({
    params: { id: await aStrategy(desk) },
    body: { config: { order_value: 77 } },
  }),
  'strategies.rename': async (desk, nth) => ({
    params: { id: await aStrategy(desk) },
    body: { name: `Renamed ${nth}` },
  }),
  'strategies.limitLoss': async (desk, nth) => ({
    params: { id: await aStrategy(desk) },
    body: { limit: 100 + nth },
  }),
  'strategies.remove': async (desk) => ({ params: { id: await aStrategy(desk) } }),
  'orders.place': (desk) => {
    quote(desk)
    return { body: { ...ORDER } }
  },
  'orders.modify': async (desk) => ({ params: { id: await anOrder(desk) }, body: { price: 39_000 } }),
  'orders.cancel': async (desk) => ({ params: { id: await anOrder(desk) } }),
  'orders.cancelAll': async (desk) => {
    const order = { ...ORDER, instrument: 'ETHUSDT', quantity: 0.1, price: 1_000, orderType: ORDER.type }
    await desk.submit({ ...order, type: 'PlaceOrder' }, { by: 'server' })
    return { body: { instrument: 'ETHUSDT' } }
  },
  'positions.closeAll': async (desk) => {
    await aPosition(desk)
    return { body: {} }
  },
  'positions.close': async (desk) => ({ params: { id: await aPosition(desk) } }),
  'positions.changeExits': async (desk, nth) => ({
    params: { id: await aPosition(desk) },
    body: { stop_loss: 40_000 + nth },
  }),
  'risk.saveLimits': (_, nth) => ({
    body: {
      max_order_size: 10_000,
      max_position_size: 50_000 + nth,
      max_daily_loss: 5000,
      max_positions: 10,
    },
  }),
  'tradingState.change': async (desk) => {
    await desk.submit({ type: 'ChangeTradingState', to: 'REDUCING' }, { by: 'server' })
    return { body: { state: 'ACTIVE' } }
  },
  'emergency.start': () => ({ body: {} }),
  // A position at a disconnected venue keeps it active.
  'emergency.end': async (desk) => {
    await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' }, { by: 'server' })
    await aPosition(desk)
    await desk.submit({ type: 'DisconnectVenue', venue: 'BINANCE' }, { by: 'server' })
    await desk.submit({ type: 'StartEmergency' }, { by: 'server' })
    return { body: {} }
  },
  'components.start': async (desk) => {
    await stop(desk, 'Cache')
    return { body: { component: 'Cache' } }
  },
  'components.stop': () => ({ body: { component: 'Cache' } }),
  'components.restart': () => ({ body: { component: 'MessageBus' } }),
  'components.configure': (_, nth) => ({
    body: { component: 'DataEngine', config: { stale_after_s: nth + 1 } },
  }),
  'nautilusComponents.stop': () => ({ params: { component_id: 'Portfolio' } }),
  'nautilusComponents.restart': () => ({ params: { component_id: 'MessageBus' } }),
  'nautilusComponents.configure': (_, nth) => ({
    params: { component_id: 'DataEngine' },
    body: { config: { stale_after_s: nth + 1 } },
  }),
  'features.set': async (desk) => {
    await switchFeature(desk, 'advanced-analytics', false)
    return { params: { feature_id: 'advanced-analytics' }, body: { enabled: true } }
  },
  // All but one are on, and an account in use keeps Paper Trading off.
  'features.setAll': async (desk) => {
    await switchFeature(desk, 'advanced-analytics', true)
    await switchFeature(desk, 'backtesting', false)
    return { body: { enabled: true } }
  },
  'platformServices.start': async (desk) => {
    await desk.submit({ type: 'StopService', service: 'risk' }, { by: 'server' })
    return { params: { service_id: 'risk' } }
  },
  'platformServices.stop': async (desk) => {
    await desk.submit({ type: 'StartService', service: 'risk' }, { by: 'server' })
    return { params: { service_id: 'risk' } }
  },
  'platformServices.restart': () => ({ params: { service_id: 'analytics' } }),
  'maintenance.backup': () => ({ body: { db_type: 'parquet' } }),
  'maintenance.optimize': () => ({ body: { db_type: 'parquet' } }),
  'maintenance.clean': () => ({ body: { cache_type: 'parquet' } }),
  'maintenance.exportData': () => ({ body: { stores: ['binnacle-catalog'], format: 'csv' } }),
  'nautilusMaintenance.exportParquet': () => ({}),
  'nautilusMaintenance.cleanParquet': () => ({}),
}

const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 40_000 } as const

let added = 0

/** Names are unique. */
function aNewStrategy() {
  added += 1
  return { name: `Trend ${added}`, type: 'momentum', description: '', config: {} } as const
}

async function aStrategy(desk: InMemoryDesk, isRunning = false): Promise<string> {
  const { type: strategyType, ...rest } = aNewStrategy()
  const outcome = await desk.submit({ type: 'AddStrategy', strategyType, ...rest }, { by: 'server' })
  if (!outcome.ok || outcome.strategy === undefined) throw new Error('A sample could not be made')
  if (isRunning) await desk.submit({ type: 'StartStrategy', strategy: outcome.strategy }, { by: 'server' })
  return outcome.strategy
}

async function switchFeature(desk: InMemoryDesk, feature: FeatureName, isEnabled: boolean): Promise<void> {
  const outcome = await desk.submit({ type: 'SwitchFeature', feature, isEnabled }, { by: 'server' })
  if (!outcome.ok) throw new Error(`A sample could not be made: ${outcome.reason.code}`)
}

async function stop(desk: InMemoryDesk, component: ComponentName): Promise<void> {
  await desk.submit({ type: 'StopComponent', component }, { by: 'server' })
}

async function anOrder(desk: InMemoryDesk): Promise<OrderId> {
  return place(desk, { orderType: 'LIMIT', price: 40_000 })
}

async function aPosition(desk: InMemoryDesk): Promise<string> {
  await desk.submit({ type: 'StartComponent', component: 'Portfolio' }, { by: 'server' })
  await place(desk, { orderType: 'MARKET' })
  await desk.idle()
  return desk.views.positions()[0]?.id ?? ''
}

async function place(
  desk: InMemoryDesk,
  terms: { orderType: 'LIMIT' | 'MARKET'; price?: number },
): Promise<OrderId> {
  quote(desk)
  const order = { type: 'PlaceOrder', instrument: 'BTCUSDT', side: 'BUY', quantity: 0.001, ...terms } as const
  const outcome = await desk.submit(order, { by: 'server' })
  if (!outcome.ok || outcome.orderId === null) throw new Error('A sample could not be made')
  return outcome.orderId
}

function quote(desk: InMemoryDesk): void {
  desk.accept(aQuote(standardInstruments(), { bid: 49_999.5, ask: 50_000.5, at: wallClock.now() }))
}
