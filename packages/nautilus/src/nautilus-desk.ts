import { isDeepStrictEqual } from 'node:util'
import {
  type Bar,
  type Command,
  type CommandSender,
  type Desk,
  type DeskChange,
  type DeskViews,
  Fault,
  type FillRecord,
  INTERVALS,
  type Instant,
  type Instrument,
  type InstrumentId,
  type Instruments,
  idFrom,
  type Listeners,
  type OrderHistory,
  type OrderId,
  type OrderTimeline,
  type OrderView,
  type Outcome,
  type PlaceOrder,
  type PreviewOutcome,
  parsePrice,
  parseQuantity,
  type Quantity,
  type Refusal,
  type StrategyKindRow,
  seqFrom,
  type TestStep,
  type TradeTick,
  type VenueId,
  type ViewName,
} from '@binnacle/engine'
import type { CommandOutcome } from './command-outcome.ts'
import type { HistoryStore } from './history-store.ts'
import type { NodeChange, NodeClient } from './node-client.ts'
import { NodeHistory } from './node-history.ts'
import { createNodeInstruments } from './node-instruments.ts'
import { NodeRows, type NodeRowsSource } from './node-rows.ts'
import { NodeView } from './node-view.ts'
import {
  type Event,
  type Metrics,
  PastBars,
  Preview,
  ReachedExit,
  type RowEventType,
  type Template,
} from './protocol.ts'
import { commandIdOf, type NodeCommand, type TranslationContext, toNode } from './to-node.ts'
import { viewPreview } from './to-preview.ts'
import { instantOf, viewFills, viewTimeline } from './to-views.ts'
import { testVenue } from './venue-test.ts'

type TradeListener = Parameters<Desk['onTrades']>[0]

/** A NautilusTrader node as the server sees an engine. Views of a node without a connection stay, marked with their time. */
export class NautilusDesk implements Desk {
  readonly #client: NodeClient
  readonly #listeners: Listeners<[DeskChange]>
  readonly #tradeListeners: Listeners<Parameters<TradeListener>>
  #waiting: (() => void)[] = []
  #revision = 1
  #view = new NodeView('', 0)
  #history: NodeHistory
  readonly #store: HistoryStore | undefined
  #instruments: Instruments = createNodeInstruments([])
  #tradesUntil: Instant = instantOf('0')
  readonly views: DeskViews

  /** The store has what earlier runs of the console saw; without it history begins with the node's rows. */
  constructor(client: NodeClient, store?: HistoryStore) {
    this.#client = client
    this.#listeners = client.createListeners()
    this.#tradeListeners = client.createListeners()
    this.#store = store
    this.#history = this.#createHistory(this.#view)
    const desk = this
    const source: NodeRowsSource = {
      get revision() {
        return desk.#revision
      },
      get view() {
        return desk.#view
      },
      get history() {
        return desk.#history
      },
      get obstacle() {
        return desk.#obstacle()
      },
      get readOnlyBecause() {
        return client.readOnlyBecause
      },
      get instruments() {
        return desk.#instruments.all
      },
      get unknownOutcomes() {
        return client.unknown.length
      },
      orderOfKey(key) {
        const id = idFrom<OrderId>(`C-${commandIdOf(key)}`)
        return desk.#history.order(id) === null ? null : id
      },
    }
    this.views = new NodeRows(source)
    if (client.view !== null) this.#replace(client.view)
    client.onChange((change) => this.#take(change))
  }

  get orderHistory(): OrderHistory {
    return this.#history
  }

  get kinds(): readonly StrategyKindRow[] {
    return (this.#client.hello?.templates ?? []).map(kindOf)
  }

  async submit(command: Command, sender: CommandSender = { by: 'server' }): Promise<Outcome> {
    const translated = toNode(command, this.#translation)
    if (!translated.ok) return translated
    const conflict = this.#findKeyConflict(command, translated.value)
    if (conflict !== null) return { ok: false, reason: conflict }
    const revision = this.#revision
    const outcomes: Outcome[] = []
    for (const each of translated.value) outcomes.push(await this.#request(each, sender, command))
    const refused = outcomes.find((outcome) => !outcome.ok)
    const last = refused ?? outcomes.at(-1)
    if (last?.ok !== true) return last ?? { ok: true, orderId: null, revision: null, repeats: null }
    // Nothing that the rows show has changed.
    return { ...last, revision: this.#revision === revision ? null : this.#revision }
  }

  async #request(each: NodeCommand, sender: CommandSender, command: Command): Promise<Outcome> {
    const id = each.key === null ? null : commandIdOf(each.key)
    const repeats = id !== null && this.#history.row(`C-${id}`) !== null ? this.#revision : null
    const outcome = await this.#client.request({
      name: each.name,
      args: each.args,
      actor: sender.by,
      ...(id !== null && { id }),
    })
    return this.#outcomeOf(outcome, command, repeats)
  }

  async preview(order: PlaceOrder): Promise<PreviewOutcome> {
    const translated = toNode(order, this.#translation)
    if (!translated.ok) return translated
    const outcome = await this.#client.query('order.preview', translated.value[0]?.args ?? {})
    switch (outcome.status) {
      case 'completed':
        return { ok: true, value: viewPreview(Preview.parse(outcome.data)) }
      case 'failed':
        return { ok: false, reason: refusalOf(outcome, order) }
      case 'refused':
      case 'unknown':
        return { ok: false, reason: { code: 'desk.halted', haltReason: this.#obstacle() ?? outcome.message } }
    }
  }

  get #translation(): TranslationContext {
    return {
      views: this.views,
      instruments: this.#instruments,
      has: (name) => this.#client.hello?.capabilities.includes(name) ?? false,
      clientsOf: (venue) =>
        this.#view.all('components').flatMap((row) => (row.venue === venue ? row.id : [])),
    }
  }

  /** The latest past minutes of an instrument, oldest first; none of a node that has none. */
  async pastMinutes(id: InstrumentId, limit: number): Promise<PastMinute[]> {
    const instrument = this.#instruments.find(id)
    const outcome = await this.#client.query('bars.get', { instrument_id: id, interval: '1m', limit })
    if (instrument === undefined || outcome.status !== 'completed') return []
    return PastBars.parse(outcome.data).bars.flatMap((bar) => minuteOf(bar, instrument) ?? [])
  }

  /** Tests the clients of a venue step by step; it changes nothing. */
  async testVenue(venue: VenueId): Promise<readonly TestStep[]> {
    const startMs = this.#client.now()
    const answer = await this.#client.query('command.status', { id: 'none' })
    const ms = this.#client.now() - startMs
    const why = answer.status === 'completed' ? null : (this.#obstacle() ?? answer.message)
    return testVenue({ venue, view: this.#view, now: this.#client.now(), node: { ms, why } })
  }

  async orderTimeline(order: OrderView): Promise<OrderTimeline> {
    const row = this.#history.row(order.id)
    return { entries: row === null ? [] : viewTimeline(row, this.#revision), isComplete: row !== null }
  }

  onChange(listener: (change: DeskChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  onTrades(listener: TradeListener): () => void {
    return this.#tradeListeners.add(listener)
  }

  #outcomeOf(outcome: CommandOutcome, command: Command, repeats: number | null): Outcome {
    switch (outcome.status) {
      case 'completed':
        return { ok: true, ...idsOf(outcome.data), revision: this.#revision, repeats }
      case 'failed': {
        const ids = idsOf(outcome.data)
        // A denied or rejected order is an order, with its reason.
        if (ids.orderId !== null) return { ok: true, ...ids, revision: this.#revision, repeats }
        return { ok: false, reason: refusalOf(outcome, command) }
      }
      case 'refused': {
        const { readOnlyBecause } = this.#client
        if (readOnlyBecause !== null) {
          const message = `This console only reads: ${readOnlyBecause}. Give the command there, or close that console`
          return { ok: false, reason: { code: 'engine.refused', message } }
        }
        return { ok: false, reason: { code: 'desk.halted', haltReason: this.#obstacle() ?? outcome.message } }
      }
      case 'unknown':
        throw new Fault('command.outcome-unknown', outcome.message)
    }
  }

  /** The key of another order: the node would answer with that one. The terms of the first request are compared. */
  #findKeyConflict(command: Command, [translated]: readonly NodeCommand[]): Refusal | null {
    if (translated === undefined || translated.key === null) return null
    const id = commandIdOf(translated.key)
    const order = this.#history.order(idFrom<OrderId>(`C-${id}`))
    if (order === null) return null
    const first = this.#client.firstRequest(id)
    const isSame =
      first === undefined
        ? this.#isSameOrder(order, command)
        : first.name === translated.name && isDeepStrictEqual(first.args, translated.args)
    return isSame ? null : { code: 'key.used', by: order.id }
  }

  /** For an order whose request this console did not record: a change of the order may have replaced its terms. */
  #isSameOrder(order: OrderView, command: Command): boolean {
    if (command.type !== 'PlaceOrder') return true
    return (
      order.instrument === this.#instruments.find(command.instrument)?.id &&
      order.side === command.side &&
      order.type === command.orderType &&
      order.quantity === Number(command.quantity) &&
      (command.orderType === 'MARKET' || order.price === Number(command.price))
    )
  }

  #obstacle(): string | null {
    const { state, reason, lastFrameAt } = this.#client.status
    if (state === 'current') return null
    // The address of a socket helps nobody who reads it on a screen; the log has it.
    const why = reason === null || reason.startsWith('connect ') ? '' : ` (${reason})`
    if (lastFrameAt === null) return `the NautilusTrader node is not connected yet${why}`
    const since = new Date(lastFrameAt).toISOString().slice(0, 19).replace('T', ' ')
    return `the NautilusTrader node is not connected since ${since} UTC${why}; what is shown is of that time, and the console connects again by itself`
  }

  #take(change: NodeChange): void {
    switch (change.kind) {
      case 'event':
        this.#takeEvent(change.event)
        break
      case 'metrics':
        this.#takeMetrics(this.#view.metrics)
        break
      case 'reset':
      case 'settled': {
        const { view } = this.#client
        if (view !== null && view !== this.#view) this.#replace(view)
        this.#revision += 1
        this.#publish({ kind: 'reset', revision: this.#revision })
      }
    }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #replace(view: NodeView): void {
    this.#view = view
    this.#history = this.#createHistory(view, this.#history)
    this.#instruments = createNodeInstruments(view.all('instruments'))
  }

  #createHistory(view: NodeView, earlier?: NodeHistory): NodeHistory {
    return new NodeHistory(view, {
      revision: () => this.#revision,
      ...(this.#store && { store: this.#store }),
      ...(earlier && { earlier }),
    })
  }

  #takeEvent(event: Event): void {
    const { type } = event
    if (type === 'log' || type === 'breach' || type === 'other') return
    const orders: OrderView[] = []
    let fills: FillRecord[] = []
    this.#revision += 1
    if (type === 'order' && event.data.view !== null) {
      const { view } = event.data
      const before = this.#history.row(view.id)?.fills.length ?? 0
      this.#history.takeOrder(view)
      orders.push(...[this.#history.order(idFrom<OrderId>(view.id))].filter((order) => order !== null))
      fills = viewFills(view)
        .slice(before)
        .map((fill) => ({ ...fill, seq: seqFrom(this.#revision) }))
    }
    if (type === 'position' && event.data.view !== null) this.#history.takePosition(event.data.view)
    if (type === 'strategy') this.#takeStrategy(event)
    if (type === 'instrument') this.#instruments = createNodeInstruments(this.#view.all('instruments'))
    this.#publish({
      kind: 'views',
      revision: this.#revision,
      orderCount: orders.length,
      fillCount: fills.length,
      hasRefusals: orders.some(({ status }) => status === 'REJECTED'),
      orders,
      fills,
      views: new Set(CHANGED_ROWS[type]),
    })
  }

  readonly #strategies = new Map<string, Parameters<NodeHistory['removeStrategy']>[0]>()

  /** A removed strategy keeps its name and its result. */
  #takeStrategy({ data, ts }: Extract<Event, { type: 'strategy' }>): void {
    if (data.view !== null) this.#strategies.set(data.view.id, data.view)
    const removed = data.view === null && data.id != null ? this.#strategies.get(data.id) : undefined
    if (removed !== undefined) this.#history.removeStrategy(removed, instantOf(ts))
  }

  #takeMetrics(metrics: Metrics | null): void {
    if (metrics === null) return
    const until = instantOf(metrics.ts)
    if (until >= this.#tradesUntil) {
      this.#tradesUntil = until
      const trades = metrics.trades.flatMap((trade) => tradeOf(trade, this.#instruments) ?? [])
      this.#tradeListeners.call(trades, until)
    }
    this.#publish({ kind: 'marks', revision: this.#revision })
  }

  #publish(change: DeskChange): void {
    this.#listeners.call(change)
  }
}

const CHANGED_ROWS: Readonly<Record<RowEventType, readonly ViewName[]>> = {
  engine: ['engine'],
  component: ['engine'],
  instrument: ['engine'],
  strategy: ['strategies', 'engine'],
  order: ['strategies', 'account', 'risk'],
  position: ['positions', 'strategies', 'account', 'risk'],
  account: ['account', 'risk'],
  risk: ['risk', 'trading-state'],
}

function idsOf(data: Readonly<Record<string, unknown>>) {
  const { order_id, strategy_id } = data
  return {
    orderId: typeof order_id === 'string' ? idFrom<OrderId>(order_id) : null,
    ...(typeof strategy_id === 'string' && {
      strategy: idFrom<NonNullable<Extract<Outcome, { ok: true }>['strategy']>>(strategy_id),
    }),
  }
}

function refusalOf(
  { code, message, data }: Extract<CommandOutcome, { status: 'failed' }>,
  command: Command,
): Refusal {
  const reached = command.type === 'ChangeExits' ? ReachedExit.safeParse(data).data : undefined
  if (reached !== undefined) {
    const { exit, is_long: isLong, price, market } = reached
    return { code: 'exit.past-market', exit, isLong, price: Number(price), market: Number(market) }
  }
  if (code === 'NOT_FOUND' && 'orderId' in command) return { code: 'order.unknown', order: command.orderId }
  if (code === 'NOT_FOUND' && 'positionId' in command) {
    return { code: 'position.unknown', position: command.positionId }
  }
  return { code: 'engine.refused', message }
}

function kindOf({
  type,
  title,
  about,
  earns_when: earnsWhen,
  loses_when: losesWhen,
  parameters,
}: Template): StrategyKindRow {
  return {
    type,
    title,
    about,
    earnsWhen,
    losesWhen,
    parameters: parameters.map((parameter) => {
      const { name, label, description, kind, min, max, choices } = parameter
      const base = { name, label, description }
      if (kind === 'number' || kind === 'integer') {
        const bounds = { min: min ?? -Number.MAX_SAFE_INTEGER, max: max ?? Number.MAX_SAFE_INTEGER }
        return { ...base, kind, ...bounds, default: Number(parameter.default) }
      }
      if (kind === 'instruments') {
        const value = [parameter.default].flat().map(String)
        return { ...base, kind, min: min ?? 1, max: max ?? 100, default: value }
      }
      const value = String(parameter.default)
      if (kind === 'choice') return { ...base, kind, choices: choices ?? [value], default: value }
      if (kind === 'instrument') return { ...base, kind, default: value }
      const interval = kind === 'interval' ? INTERVALS.find((known) => known === value) : undefined
      if (interval !== undefined) return { ...base, kind: 'interval', default: interval }
      return { ...base, kind: 'text', maxLength: 200, default: value }
    }),
  }
}

/** A minute in ticks and lots. */
export interface PastMinute extends Pick<Bar, 'start' | 'open' | 'high' | 'low' | 'close' | 'volume'> {
  readonly instrument: InstrumentId
}

/** Zero is the same in any unit. */
const NO_LOTS = 0 as Quantity

function minuteOf(bar: PastBars['bars'][number], { id, tick, lot }: Instrument): PastMinute | null {
  const ticksOf = (price: string) => {
    const parsed = parsePrice(price, tick)
    return parsed.ok ? parsed.value : null
  }
  const [open, high, low, close] = [
    ticksOf(bar.open),
    ticksOf(bar.high),
    ticksOf(bar.low),
    ticksOf(bar.close),
  ]
  if (open === null || high === null || low === null || close === null) return null
  const lots = parseQuantity(bar.volume, lot)
  return {
    instrument: id,
    start: instantOf(bar.ts),
    open,
    high,
    low,
    close,
    volume: lots.ok ? lots.value : NO_LOTS,
  }
}

function tradeOf(
  { instrument_id, price, size, side, ts }: Metrics['trades'][number],
  instruments: Instruments,
): TradeTick | null {
  const instrument = instruments.find(instrument_id)
  if (instrument === undefined) return null
  const [ticks, lots] = [parsePrice(price, instrument.tick), parseQuantity(size, instrument.lot)]
  if (!ticks.ok || !lots.ok) return null
  return {
    kind: 'tick',
    type: 'trade',
    at: instantOf(ts),
    instrument: instrument.id,
    price: ticks.value,
    size: lots.value,
    aggressor: side,
  }
}
