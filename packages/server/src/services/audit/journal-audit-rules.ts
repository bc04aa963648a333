import {
  describeReason,
  type Event,
  type Instruments,
  moneyToNumber,
  type Price,
  priceToNumber,
  quantityToNumber,
} from '@binnacle/engine'
import { type AuditRecord, type AuditRules, consequence, type EventOf, parseConfig } from './audit-rule.ts'
import { STRATEGY_AUDIT_RULES } from './strategy-audit-rules.ts'

/** Has a rule for every event type: a new one does not compile without it. */
export const AUDIT_RULES: AuditRules = {
  ...STRATEGY_AUDIT_RULES,
  OrderDenied: ({ orderId, terms, reason }, instruments) =>
    placedRecord(orderId, {
      ...termsOf(terms, instruments),
      outcome: 'denied',
      reason: reason.code,
      sentence: describeReason(reason),
    }),
  OrderSubmitted: ({ orderId, terms }, instruments) =>
    placedRecord(orderId, { ...termsOf(terms, instruments), outcome: 'submitted' }),
  OrderChangeRequested: orderChangeRecord,
  OrderCancelRequested: ({ orderId, cause }) =>
    cause.code === 'cancel.asked'
      ? {
          action: 'orders.cancel',
          entity: 'order',
          target: orderId,
          before: { status: 'PENDING' },
          after: { outcome: 'cancel requested' },
        }
      : undefined,
  OrderAccepted: consequence,
  OrderTriggered: consequence,
  OrderFilled: consequence,
  OrderChanged: consequence,
  OrderChangeRejected: consequence,
  OrderCancelled: consequence,
  OrderRejected: consequence,
  ReportDisregarded: consequence,
  DeskOpened: consequence,
  FundingPaid: consequence,
  PositionExitsChanged: ({ positionId, instrument, exits, before }, instruments) => ({
    action: 'positions.changeExits',
    entity: 'position',
    target: positionId,
    before: exitsOf(before, instrument, instruments),
    after: exitsOf(exits, instrument, instruments),
  }),
  DayStarted: consequence,
  HighWaterRaised: consequence,
  DrawdownDeepened: consequence,
  LimitsChanged: ({ limits, before }) => ({
    action: 'risk.saveLimits',
    entity: 'risk-limits',
    target: 'limits',
    before: before === undefined ? null : limitsOf(before),
    after: limitsOf(limits),
  }),
  LimitBreached: consequence,
  TradingStateChanged: ({ from, to, reason }) =>
    reason.code === 'asked'
      ? {
          action: 'tradingState.change',
          entity: 'trading-state',
          target: 'desk',
          before: { state: from },
          after: { state: to, note: reason.note },
        }
      : undefined,
  EmergencyStarted: ({ venues }) => ({
    action: 'emergency.start',
    entity: 'trading-state',
    target: 'desk',
    before: null,
    after: { venues },
  }),
  EmergencyEnded: ({ outcome }) =>
    outcome === 'ended'
      ? {
          action: 'emergency.end',
          entity: 'trading-state',
          target: 'desk',
          before: { active: true },
          after: { outcome },
        }
      : undefined,
  ComponentChanged: componentChangeRecord,
  ComponentConfigured: ({ component, config, before }) => ({
    action: 'components.configure',
    entity: 'component',
    target: component,
    before: before === undefined ? null : { config: parseConfig(before) },
    after: { config: parseConfig(config) },
  }),
  FeatureSwitched: ({ feature, isEnabled }) => ({
    action: 'features.set',
    entity: 'feature',
    target: feature,
    before: { enabled: !isEnabled },
    after: { enabled: isEnabled },
  }),
  ServiceSwitched: serviceChangeRecord,
  PaperAccountOpened: consequence,
  VenueSwitched: ({ venue, isWanted }) => ({
    action: isWanted ? 'adapters.connect' : 'adapters.disconnect',
    entity: 'venue',
    target: venue,
    before: { wanted: !isWanted },
    after: { wanted: isWanted },
  }),
  VenueConnected: consequence,
  VenueDisconnected: consequence,
  VenueReconciled: consequence,
}

function placedRecord(orderId: string, after: Record<string, unknown>): AuditRecord {
  return { action: 'orders.place', entity: 'order', target: orderId, before: null, after }
}

type Terms = EventOf<'OrderSubmitted'>['terms']

function termsOf(terms: Terms, instruments: Instruments): Record<string, unknown> {
  const { strategy, instrument, side, type, timeInForce, reduceOnly } = terms
  return {
    strategy,
    instrument,
    side,
    type,
    ...sizeOf(terms, instruments),
    time_in_force: timeInForce,
    reduce_only: reduceOnly,
  }
}

type OrderSize = Pick<Terms, 'instrument' | 'quantity' | 'price'>

function sizeOf({ instrument, quantity, price }: OrderSize, instruments: Instruments) {
  const { lot, tick } = instruments.get(instrument)
  return {
    quantity: quantityToNumber(quantity, lot),
    price: price === null ? null : priceToNumber(price, tick),
  }
}

function orderChangeRecord(event: EventOf<'OrderChangeRequested'>, instruments: Instruments): AuditRecord {
  const { orderId, before, quantity, price } = event
  const after =
    before === undefined
      ? { quantity_in_lots: quantity, price_in_ticks: price }
      : sizeOf({ instrument: before.instrument, quantity, price }, instruments)
  return {
    action: 'orders.modify',
    entity: 'order',
    target: orderId,
    before: before === undefined ? null : sizeOf(before, instruments),
    after: { ...after, outcome: 'change requested' },
  }
}

/** A restart is two changes of one component: recorded from before the first to after the last. */
function componentChangeRecord(
  { component, before }: EventOf<'ComponentChanged'>,
  _: Instruments,
  all: readonly Event[],
): AuditRecord {
  const statuses = all.flatMap((event) =>
    event.type === 'ComponentChanged' && event.component === component ? [event.status] : [],
  )
  const status = statuses.at(-1)
  return {
    action: actionOf(status, statuses.length),
    entity: 'component',
    target: component,
    before: before === undefined ? null : { status: before },
    after: { status, ...(statuses.length > 1 && { through: statuses.slice(0, -1) }) },
  }
}

/** A restart is two switches of one service, recorded as one action. */
function serviceChangeRecord(
  { service, isRunning }: EventOf<'ServiceSwitched'>,
  _: Instruments,
  all: readonly Event[],
): AuditRecord {
  const isRestart = all.filter(({ type }) => type === 'ServiceSwitched').length > 1
  return {
    action: `platformServices.${isRestart ? 'restart' : isRunning ? 'start' : 'stop'}`,
    entity: 'service',
    target: service,
    before: { running: !isRunning },
    after: { running: isRestart || isRunning },
  }
}

function actionOf(status: string | undefined, changes: number): string {
  if (changes > 1) return 'components.restart'
  return status === 'running' ? 'components.start' : 'components.stop'
}

type Exits = EventOf<'PositionExitsChanged'>

function exitsOf(exits: Exits['exits'], instrument: Exits['instrument'], instruments: Instruments) {
  const { tick } = instruments.get(instrument)
  const inUnits = (price: Price | null | undefined) => (price == null ? null : priceToNumber(price, tick))
  return { stop_loss: inUnits(exits?.stopLoss), take_profit: inUnits(exits?.takeProfit) }
}

type Limits = EventOf<'LimitsChanged'>['limits']

function limitsOf(limits: Limits): Record<string, number> {
  return {
    max_order_size: moneyToNumber(limits.maxOrderSize),
    max_position_size: moneyToNumber(limits.maxPositionSize),
    max_daily_loss: moneyToNumber(limits.maxDailyLoss),
    max_positions: limits.maxPositions,
  }
}
