import { createInstruments, standardInstruments } from '#market/instruments.ts'
import type { Random } from '#market/random.ts'
import { COMPONENT_NAMES } from '#model/component.ts'
import type { Command, PlaceOrder } from '#model/input.ts'
import { VENUE_IDS } from '#model/instrument.ts'
import { TRADING_STATES } from '#model/risk.ts'
import { findPosition } from '#state/position-register.ts'
import {
  type IdempotencyKey,
  idFrom,
  MANUAL,
  type OrderId,
  type PositionId,
  type StrategyId,
} from '#values/ids.ts'
import { quantityFromLots, quantityToNumber } from '#values/quantity.ts'
import type { Lab } from './lab.ts'

const NAMES = ['BTCUSDT', 'BTCUSDT-PERP', 'ETHUSDT.BYBIT'] as const

/** The few instruments that random histories trade. */
export const HISTORY_INSTRUMENTS = createInstruments(
  standardInstruments().all.filter(({ id }) => NAMES.some((name) => name === id)),
)

const STRATEGIES = [MANUAL, idFrom<StrategyId>('alpha')]

/** Runs one random step: the market moves, orders are placed and finished, people intervene. */
export function liveRandomStep(lab: Lab, random: Random): void {
  const dice = random.uniform()
  if (dice < 0.3) moveMarket(lab, random)
  else if (dice < 0.65) lab.run(randomOrder(random))
  else if (dice < 0.78) lab.run(randomCommand(lab, random))
  else if (dice < 0.83) lab.run(randomStrategyAct(lab, random))
  else if (dice < 0.93) lab.run(randomIntents(lab, random))
  else if (dice < 0.97) lab.wait(Math.floor(random.uniform() ** 3 * 40_000_000))
  else lab.run(randomInterference(random))
}

/** Runs one random step of a history of one instrument in which trading is often reduced while orders work. */
export function liveReducingStep(lab: Lab, random: Random): void {
  const dice = random.uniform()
  const at = Math.round(490 + 20 * random.uniform())
  const quantity = Math.ceil(random.uniform() * 8)
  const orderId = pick(random, [...lab.state.orders.working.keys(), idFrom<OrderId>('O-1')])
  const positionId = pick(
    random,
    [...lab.state.positions.open.values()].map(({ id }) => id),
  )
  const side = random.uniform() < 0.5 ? 'BUY' : 'SELL'
  const order = { type: 'PlaceOrder', instrument: PERP, side, quantity } as const
  if (dice < 0.25) lab.quote({ instrument: PERP, bid: at, ask: at + 1, size: 20 })
  else if (dice < 0.45) lab.run({ ...order, orderType: 'LIMIT', price: at })
  else if (dice < 0.5) lab.run({ ...order, orderType: 'MARKET' })
  else if (dice < 0.65) lab.run({ type: 'ModifyOrder', orderId, quantity })
  else if (dice < 0.75 && positionId) lab.run({ type: 'ClosePosition', positionId, quantity: 1 })
  else if (dice < 0.8) lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
  else if (dice < 0.85) lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
  else lab.wait(Math.floor(random.uniform() * 100))
}

const PERP = NAMES[1]

/** Gives every instrument a first quote; in three of four histories a strategy runs from the start. */
export function openMarket(lab: Lab, random: Random): void {
  for (let count = 0; count < NAMES.length * 2; count++) moveMarket(lab, random)
  if (random.uniform() >= 0.75) return
  const [type, config] = pick(random, STRATEGY_KINDS)
  lab.runStrategy(type, config)
}

function moveMarket(lab: Lab, random: Random): void {
  const instrument = pick(random, NAMES)
  const base = instrument.startsWith('BTC') ? 500 : 30
  const bid = Math.round(base * (0.9 + 0.2 * random.uniform()) * 100) / 100
  const size = Math.round((0.1 + 5 * random.uniform()) * 1000) / 1000
  if (random.uniform() < 0.7) {
    lab.quote({ instrument, bid, ask: Math.round((bid + 0.01 + random.uniform()) * 100) / 100, size })
  } else lab.trade({ instrument, price: bid, size, aggressor: random.uniform() < 0.5 ? 'BUY' : 'SELL' })
}

function randomOrder(random: Random): PlaceOrder {
  const instrument = pick(random, NAMES)
  const base = instrument.startsWith('BTC') ? 500 : 30
  const orderType = pick(random, ['MARKET', 'LIMIT', 'LIMIT', 'STOP'] as const)
  const timeInForce = orderType === 'LIMIT' ? pick(random, ['GTC', 'GTC', 'IOC', 'FOK'] as const) : undefined
  return {
    type: 'PlaceOrder',
    instrument,
    strategy: pick(random, STRATEGIES),
    side: random.uniform() < 0.5 ? 'BUY' : 'SELL',
    orderType,
    quantity: Math.round(random.uniform() ** 2 * 8_000 + 10) / 1000,
    price: Math.round(base * (0.9 + 0.2 * random.uniform()) * 100) / 100,
    reduceOnly: random.uniform() < 0.15,
    ...(timeInForce && { timeInForce }),
    ...(random.uniform() < 0.1 && { key: idFrom<IdempotencyKey>(`k${Math.floor(random.uniform() * 5)}`) }),
  }
}

function randomCommand(lab: Lab, random: Random): Command {
  const working = [...lab.state.orders.working.keys()]
  const orderId = pick(random, working.length > 0 ? working : [idFrom<OrderId>('O-1')])
  const open = [...lab.state.positions.open.values()].map(({ id }) => id)
  const positionId = pick(random, open.length > 0 ? open : [idFrom<PositionId>('P-1')])
  const dice = random.uniform()
  if (dice < 0.25) return randomExits(lab, random, positionId)
  if (dice < 0.45) return { type: 'CancelOrder', orderId }
  if (dice < 0.72) {
    const size = Math.round(random.uniform() * 5_000 + 10) / 1000
    return { type: 'ModifyOrder', orderId, quantity: size, ...(dice < 0.55 && { price: 480 }) }
  }
  if (dice < 0.76) return { type: 'ChangeTradingState', to: pick(random, ['REDUCING', 'ACTIVE']) }
  const held = Math.abs(findPosition(lab.state.positions, positionId)?.quantity ?? 0)
  const isPart = dice < 0.88 && held > 1
  return { type: 'ClosePosition', positionId, ...(isPart && { quantity: partOf(lab, positionId, random) }) }
}

/** Any part of a position, in units. */
function partOf(lab: Lab, positionId: PositionId, random: Random): number {
  const { instrument, quantity: lots } = findPosition(lab.state.positions, positionId) ?? NOTHING_HELD
  const { lot } = lab.instruments.find(instrument) ?? { lot: null }
  const part = Math.ceil(random.uniform() * Math.abs(lots))
  return lot === null ? 0 : quantityToNumber(quantityFromLots(part), lot)
}

/** Exit prices within the range of the market, so that some are refused and some are reached. */
function randomExits(lab: Lab, random: Random, positionId: PositionId): Command {
  const { instrument, quantity: lots } = findPosition(lab.state.positions, positionId) ?? NOTHING_HELD
  const base = instrument.startsWith('BTC') ? 500 : 30
  const near = (share: number) => Math.round(base * (1 + share * 0.1 * random.uniform()) * 100) / 100
  const [below, above] = [near(-1), near(1)]
  const dice = random.uniform()
  if (dice < 0.1) return { type: 'ChangeExits', positionId, stopLoss: null }
  if (dice < 0.2) return { type: 'ChangeExits', positionId, stopLoss: null, takeProfit: null }
  if (dice < 0.5) return { type: 'ChangeExits', positionId, stopLoss: lots > 0 ? below : above }
  return {
    type: 'ChangeExits',
    positionId,
    stopLoss: lots > 0 ? below : above,
    takeProfit: lots > 0 ? above : below,
  }
}

const NOTHING_HELD = { instrument: 'BTCUSDT', quantity: 0 }

/** Settings with which strategies trade within a few steps. */
const STRATEGY_KINDS = [
  ['momentum', { instrument: 'BTCUSDT-PERP', fast_bars: 1, slow_bars: 2, threshold_bps: 0 }],
  ['mean_reversion', { instrument: 'BTCUSDT-PERP', window_bars: 5, entry_score: 1, min_edge_bps: 0 }],
  ['market_making', { instrument: 'ETHUSDT.BYBIT', half_spread_bps: 100, requote_s: 0.1 }],
] as const

function randomStrategyAct(lab: Lab, random: Random): Command {
  const [strategyType, config] = pick(random, STRATEGY_KINDS)
  const there = [...lab.state.strategies.all.keys()]
  const strategy = pick(random, there.length > 0 ? there : [idFrom<StrategyId>('S-1')])
  const order_value = Math.round(random.uniform() * 3_000 + 10)
  const named = { name: `${strategyType} ${lab.state.strategies.nextNumber}`, description: '' }
  return pick<Command>(random, [
    { type: 'AddStrategy', ...named, strategyType, config },
    { type: 'StartStrategy', strategy },
    { type: 'StartStrategy', strategy },
    { type: 'StopStrategy', strategy },
    { type: 'ReconfigureStrategy', strategy, config: { order_value, ...(order_value < 500 && config) } },
    { type: 'RemoveStrategy', strategy },
    { type: 'RenameStrategy', strategy, name: `renamed ${order_value % 3}` },
    { type: 'LimitStrategyLoss', strategy, limit: order_value < 1_500 ? order_value / 10 : null },
  ])
}

/** Random intents for a running strategy. */
function randomIntents(lab: Lab, random: Random): Command {
  const records = [...lab.state.strategies.all.values()]
  const running = records.filter(({ status }) => status === 'running').map(({ id }) => id)
  const strategy = pick(random, running.length > 0 ? running : [idFrom<StrategyId>('S-1')])
  const lots = Math.round((random.uniform() - 0.5) * 40) * 10_000
  return { type: 'SubmitIntents', strategy, intents: [{ type: 'target', slot: 0, lots }] }
}

function randomInterference(random: Random): Command {
  const component = pick(random, COMPONENT_NAMES)
  const venue = pick(random, VENUE_IDS.slice(0, 2))
  const amount = () => Math.round(random.uniform() * 2_000_000) / 100
  const limits = {
    maxOrderSize: amount(),
    maxPositionSize: amount(),
    maxDailyLoss: amount(),
    maxPositions: Math.floor(random.uniform() * 7),
  }
  return pick<Command>(random, [
    { type: 'StopComponent', component },
    { type: 'StartComponent', component },
    { type: 'StartComponent', component },
    { type: 'ChangeTradingState', to: pick(random, TRADING_STATES) },
    { type: 'ChangeTradingState', to: 'ACTIVE' },
    { type: 'ChangeLimits', limits },
    { type: 'DisconnectVenue', venue },
    { type: 'ConnectVenue', venue },
    { type: 'ConnectVenue', venue },
  ])
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  // The lists are never empty and uniform() is below one.
  return items[Math.floor(random.uniform() * items.length)] as Item
}
