import {
  type AccountView,
  type BookView,
  type ComponentName,
  type DeskViews,
  type EmergencyView,
  type EngineView,
  FEATURE_NAMES,
  type FeatureName,
  type IdempotencyKey,
  type Instrument,
  type InstrumentId,
  idFrom,
  MANUAL,
  MAX_LISTED_FINISHED,
  type Money,
  minus,
  NO_MONEY,
  nearestMoney,
  type OrderId,
  type OrderView,
  type PositionView,
  parseMoney,
  plus,
  printMoney,
  type QuoteView,
  type RemovedStrategyView,
  type RiskView,
  SERVICE_NAMES,
  type StrategyId,
  type StrategyStatus,
  type StrategyView,
  seqFrom,
  type TradingStateReason,
} from '@binnacle/engine'
import type { NodeHistory } from './node-history.ts'
import { venueIdOf } from './node-instruments.ts'
import type { NodeView } from './node-view.ts'
import type { Row } from './protocol.ts'
import { instantOf, NODE_MANUAL, strategyIdOf, viewComponent, viewPosition } from './to-views.ts'

export interface NodeRowsSource {
  readonly revision: number
  readonly view: NodeView
  readonly history: NodeHistory
  /** Why the rows are not current, or null. */
  readonly obstacle: string | null
  /** Why current rows cannot be acted on, or null. */
  readonly readOnlyBecause: string | null
  readonly instruments: readonly Instrument[]
  /** How many commands have an outcome that is not known. */
  readonly unknownOutcomes: number
  orderOfKey(key: IdempotencyKey): OrderId | null
}

/** The rows of a node as the server reads them. Each function can be passed on by itself. */
export class NodeRows implements DeskViews {
  readonly #source: NodeRowsSource

  constructor(source: NodeRowsSource) {
    this.#source = source
  }

  get revision(): number {
    return this.#source.revision
  }

  get haltReason(): string | null {
    return this.#source.obstacle
  }

  readonly engine = (): EngineView => {
    const { view, revision, obstacle, readOnlyBecause } = this.#source
    const engine = view.all('engine')[0]
    const isRunning = obstacle === null && engine?.is_running === true && engine.state === 'RUNNING'
    const isPaper = engine?.mode !== 'live'
    const isOn = new Map<FeatureName, boolean>([
      ['live-trading', !isPaper],
      ['paper-trading', isPaper],
    ])
    const components = view.all('components')
    return {
      seq: seqFrom(revision),
      identity: {
        type: `nautilus-${engine?.environment ?? 'unknown'}`,
        traderId: engine?.trader_id ?? '',
        status: statusOf(engine, this.#source) + unknownText(this.#source.unknownOutcomes),
        readOnlyBecause,
      },
      isRunning,
      components: [...components.map(viewComponent), ...this.#stateless(components, isRunning)],
      features: FEATURE_NAMES.map((name) => ({
        name,
        isEnabled: isOn.get(name) ?? true,
        conflict: { code: 'engine.not-offered', what: 'switching features' },
      })),
      services: SERVICE_NAMES.map((name) => ({ name, isRunning })),
      account: isPaper ? 'paper' : 'live',
      venues: venuesOf(components).map((venue) => ({
        id: venueIdOf(venue),
        isWanted: true,
        isConnected: components.every((row) => row.venue !== venue || row.is_connected !== false),
      })),
    }
  }

  /** Parts of a node without a state of their own. */
  #stateless(components: readonly Row<'components'>[], isRunning: boolean): EngineView['components'] {
    const names = ['Portfolio', 'Cache', 'MessageBus'] satisfies ComponentName[]
    return names
      .filter((name) => !components.some(({ id }) => id === name))
      .map((name) => ({
        name,
        type: 'Component',
        status: isRunning ? 'running' : 'stopped',
        reason: null,
        config: '{}',
      }))
  }

  readonly instruments = (): readonly Instrument[] => {
    return this.#source.instruments
  }

  readonly quotes = (): readonly QuoteView[] => {
    return (this.#source.view.metrics?.quotes ?? []).map(({ instrument_id, bid, ask, ts }) => ({
      instrument: idFrom<InstrumentId>(instrument_id),
      bid: Number(bid),
      ask: Number(ask),
      at: instantOf(ts),
    }))
  }

  /** A node sends the best level of each side. */
  readonly book = (instrument: InstrumentId): BookView | null => {
    const quote = this.#source.view.metrics?.quotes.find(({ instrument_id }) => instrument_id === instrument)
    if (quote === undefined) return null
    return {
      instrument,
      bids: [{ price: Number(quote.bid), quantity: Number(quote.bid_size) }],
      asks: [{ price: Number(quote.ask), quantity: Number(quote.ask_size) }],
      at: instantOf(quote.ts),
    }
  }

  readonly strategies = (): readonly StrategyView[] => {
    return this.#strategyRows().map((row) => this.#viewStrategy(row))
  }

  readonly strategy = (id: StrategyId): StrategyView | null => {
    const row = this.#strategyRows().find((each) => each.id === id)
    return row === undefined ? null : this.#viewStrategy(row)
  }

  readonly strategyName = (id: StrategyId): string | undefined => {
    if (id === MANUAL) return undefined
    return this.#source.view.find('strategies', id)?.name ?? this.#source.history.removedStrategy(id)?.name
  }

  readonly removedStrategies = (): readonly RemovedStrategyView[] => {
    return this.#source.history.removedStrategies()
  }

  readonly orders = (): readonly OrderView[] => {
    const { history } = this.#source
    return [...history.workingOrders(), ...history.latestFinished(MAX_LISTED_FINISHED)].sort(
      (one, other) => other.number - one.number,
    )
  }

  readonly order = (id: OrderId): OrderView | null => {
    return this.#source.history.order(id)
  }

  readonly orderOfKey = (key: IdempotencyKey): OrderId | null => {
    return this.#source.orderOfKey(key)
  }

  readonly positions = (): readonly PositionView[] => {
    const { view } = this.#source
    return view
      .all('positions')
      .filter(({ side }) => side !== 'FLAT')
      .map((row) => viewPosition(row, view.metrics))
      .sort((one, other) => one.openedAt - other.openedAt || (one.id < other.id ? -1 : 1))
  }

  /** Amounts of one currency; others by the node's current rates. What has no rate is left out and named. */
  readonly account = (): AccountView => {
    const { view } = this.#source
    const balances = view.all('accounts').flatMap((row) => [row, ...row.others])
    const currency = view.metrics?.currency ?? baseOf(view.all('accounts'))
    const rateOf = (code: string) => (code === currency ? '1' : view.metrics?.rates?.[code])
    const sum = (field: 'deposited' | 'total' | 'realized' | 'fees') =>
      printMoney(
        balances.reduce((total, row) => plus(total, convert(row[field], rateOf(row.currency))), NO_MONEY),
      )
    const quoteOf = new Map(this.instruments().map(({ id, quote }) => [id, quote]))
    const unrealised = this.positions().reduce((total, position) => {
      const rate = rateOf(quoteOf.get(position.instrument) ?? currency ?? '')
      return total + position.unrealised * Number(rate ?? 0)
    }, 0)
    const [deposited, cash, realised, fees] = [sum('deposited'), sum('total'), sum('realized'), sum('fees')]
    return {
      currency,
      leftOut: leftOutOf(balances, (code) => rateOf(code) === undefined),
      cash: Number(cash),
      equity: Number(cash) + unrealised,
      realised: Number(realised),
      unrealised,
      fees: Number(fees),
      funding: 0,
      // A margin account pays fees and results only, so nothing of its cash is in positions.
      exact: { deposited, cash, cost: '0', realised, fees, funding: '0' },
      strategies: this.#source.view.all('strategies').map(({ id, stats }) => ({
        strategy: strategyIdOf(id),
        realised: Number(stats.realized),
        fees: Number(stats.fees),
        funding: 0,
        trades: stats.closed,
        winRate: stats.closed === 0 ? null : stats.won / stats.closed,
      })),
    }
  }

  readonly risk = (): RiskView => {
    const { view, obstacle } = this.#source
    const { metrics } = view
    const risk = view.all('risk')[0]
    const account = this.account()
    const used = Number(metrics?.margin_used ?? 0)
    return {
      totalExposure: Number(metrics?.exposure ?? 0),
      marginUsed: used,
      marginAvailable: Number(metrics?.margin_free ?? Math.max(0, account.equity - used)),
      drawdown: Number(metrics?.drawdown ?? 0),
      maxDrawdown: Number(metrics?.max_drawdown ?? risk?.max_drawdown ?? 0),
      valueAtRisk: metrics?.var_1d == null ? null : Number(metrics.var_1d),
      positionCount: this.positions().length,
      dayResult: Number(metrics?.day_result ?? 0),
      equity: account.equity,
      limits: {
        maxOrderSize: Number(risk?.limits.max_order_size ?? 0),
        maxPositionSize: Number(risk?.limits.max_position_size ?? 0),
        maxDailyLoss: Number(risk?.limits.max_daily_loss ?? 0),
        maxPositions: risk?.limits.max_positions ?? 0,
      },
      tradingState: risk?.trading_state ?? 'HALTED',
      tradingStateReason: reasonOf(risk),
      tradingStateSince: instantOf(risk?.since),
      breaches: (risk?.breaches ?? []).map(({ limit, value, threshold, ts }) => ({
        limit,
        value: Number(value),
        threshold: Number(threshold),
        at: instantOf(ts),
      })),
      isStale: obstacle !== null,
    }
  }

  readonly emergency = (): EmergencyView => {
    const emergency = this.#source.view.all('risk')[0]?.emergency ?? null
    const positions = this.positions()
    const working = this.#source.history.orders().filter(({ status }) => status === 'PENDING')
    const venueOf = new Map(this.instruments().map(({ id, venue }) => [id, venue]))
    const atStart = new Map(emergency?.venues.map((row) => [venueIdOf(row.venue), row]))
    const left = emergency?.left && new Map(emergency.left.map((row) => [venueIdOf(row.venue), row]))
    const current = [...working, ...positions].map(({ instrument }) => venueOf.get(instrument))
    const venues = [...new Set([...atStart.keys(), ...current])]
    return {
      isActive: emergency?.active ?? false,
      startedAt: emergency?.started_at == null ? null : instantOf(emergency.started_at),
      endedAt: emergency?.ended_at == null ? null : instantOf(emergency.ended_at),
      outcome: emergency?.outcome ?? null,
      resumedAt: emergency?.resumed_at == null ? null : instantOf(emergency.resumed_at),
      venues: venues.flatMap((venue) => {
        if (venue === undefined) return []
        const held = positions.filter(({ instrument }) => venueOf.get(instrument) === venue)
        const orders = working.filter(({ instrument }) => venueOf.get(instrument) === venue).length
        const now =
          emergency === null || emergency.outcome === 'flat' ? undefined : { orders, positions: held.length }
        const unfinished = left ? left.get(venue) : now
        return {
          venue,
          ordersAtStart: atStart.get(venue)?.orders ?? 0,
          positionsAtStart: atStart.get(venue)?.positions ?? 0,
          ordersLeft: unfinished?.orders ?? 0,
          positionsLeft: unfinished?.positions ?? 0,
          orders,
          positions: held.length,
          exposure: held.reduce((sum, { quantity, currentPrice }) => sum + quantity * currentPrice, 0),
        }
      }),
      open: positions.map(({ id, strategy, instrument, side, quantity }) => ({
        position: id,
        strategy,
        instrument,
        quantity: side === 'SHORT' ? -quantity : quantity,
        obstacle: this.haltReason,
      })),
    }
  }

  /** Orders by hand are no strategy of a person's. */
  #strategyRows(): Row<'strategies'>[] {
    return this.#source.view.all('strategies').filter(({ id }) => id !== NODE_MANUAL)
  }

  #viewStrategy(row: Row<'strategies'>): StrategyView {
    const id = strategyIdOf(row.id)
    const positions = this.positions().filter(({ strategy }) => strategy === id)
    const unrealised = positions.reduce((sum, position) => sum + position.unrealised, 0)
    const { stats } = row
    const net = printMoney(minus(moneyOf(stats.realized), moneyOf(stats.fees)))
    return {
      id,
      name: row.name,
      type: row.template,
      description: row.description,
      config: JSON.stringify(row.config),
      lossLimit: row.loss_limit == null ? null : Number(row.loss_limit),
      status: strategyStatusOf(row),
      reason: row.reason ?? null,
      warmUp: null,
      denials: null,
      pnl: Number(net) + unrealised,
      unrealised,
      exactNet: net,
      fills: stats.fills,
      trades: stats.closed,
      winRate: stats.closed === 0 ? null : stats.won / stats.closed,
      openPositions: positions.length,
      workingOrders: this.#source.history.countWorkingOrders(id),
      addedAt: instantOf(row.added_at),
    }
  }
}

function statusOf(
  engine: Row<'engine'> | undefined,
  { obstacle, readOnlyBecause }: Pick<NodeRowsSource, 'obstacle' | 'readOnlyBecause'>,
): string {
  if (obstacle !== null || engine === undefined) return 'disconnected'
  if (!engine.is_running) return 'stopped'
  if (engine.state === 'RUNNING' && readOnlyBecause !== null) return 'read-only'
  if (engine.state === 'RUNNING' && engine.account_reset) {
    const at = new Date(instantOf(engine.started_at)).toISOString().slice(11, 19)
    return `running, paper account reset at ${at} UTC`
  }
  return engine.state === 'RUNNING' ? 'running' : engine.state === 'DEGRADED' ? 'degraded' : 'starting'
}

function unknownText(count: number): string {
  return count === 0 ? '' : `, outcome of ${count} ${count === 1 ? 'command' : 'commands'} unknown`
}

function venuesOf(components: readonly Row<'components'>[]): string[] {
  return [...new Set(components.flatMap(({ venue }) => venue ?? []))].sort()
}

/** A callback that raised leaves a strategy in between: STARTING or STOPPING, with the reason. */
function strategyStatusOf({ state, reason }: Row<'strategies'>): StrategyStatus {
  if (state === 'FAULTED' || state === 'DEGRADED') return 'error'
  if (state === 'STARTING' || state === 'STOPPING') return reason == null ? 'running' : 'error'
  return state === 'RUNNING' ? 'running' : 'stopped'
}

function reasonOf(risk: Row<'risk'> | undefined): TradingStateReason | null {
  if (risk?.reason == null) return null
  const { code, message } = risk.reason
  switch (code) {
    case 'asked':
      return { code, note: message }
    case 'emergency':
      return { code }
    default:
      return { code: 'fault', message }
  }
}

/** Where a node does not say which, as the bridge chooses it. */
const SHOWN_CURRENCIES = ['USDT', 'USDC', 'USD', 'EUR']

function baseOf(accounts: readonly Row<'accounts'>[]): string | null {
  const held = accounts.map(({ currency }) => currency)
  return SHOWN_CURRENCIES.find((code) => held.includes(code)) ?? held[0] ?? null
}

type Balance = Pick<Row<'accounts'>, 'currency' | 'total'>

function leftOutOf(balances: readonly Balance[], isUnknown: (currency: string) => boolean): string[] {
  const totals = new Map<string, Money>()
  for (const { currency, total } of balances) {
    if (isUnknown(currency)) {
      totals.set(currency, plus(totals.get(currency) ?? NO_MONEY, moneyOf(total)))
    }
  }
  return [...totals]
    .filter(([, total]) => total !== NO_MONEY)
    .map(([currency, total]) => `${printMoney(total)} ${currency}`)
    .sort()
}

/** An amount at a rate, rounded to the nearest unit; nothing without one. */
function convert(amount: string, rate: string | undefined): Money {
  if (rate === undefined) return NO_MONEY
  if (rate === '1') return moneyOf(amount)
  const [whole = '', decimals = ''] = rate.split('.')
  const scale = 10n ** BigInt(decimals.length)
  const product = BigInt(moneyOf(amount)) * BigInt(whole + decimals)
  const half = product < 0n ? -scale / 2n : scale / 2n
  return moneyOf(`${(product + half) / scale}e-8`)
}

/** Amounts of a node with more than eight decimals are rounded. */
function moneyOf(value: string): Money {
  const exact = parseMoney(value)
  return exact.ok ? exact.value : nearestMoney(Number(value))
}
