import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import {
  BUILT_IN_KINDS,
  type Clock,
  type Command,
  changeOf,
  createEngine,
  createMemoryJournal,
  createSimulatedVenue,
  DEFAULT_LIMITS,
  type DeskChange,
  describeReason,
  type EngineViews,
  type FillRecord,
  type Instant,
  instantFromMs,
  type JournalEntry,
  type Outcome,
  type PlaceOrder,
  type RunningDesk,
  type StrategyKind,
  standardInstruments,
  startDeskLoop,
} from '@binnacle/engine'
import { aQuote, aTrade, type QuoteGiven, START, type TradeGiven } from '@binnacle/engine/testkit'
import { LineReader } from '#framing.ts'
import {
  type CommandFrame,
  type CommandState,
  type Event,
  encodeFrame,
  type FromNode,
  type Hello,
  type PastBars,
  parseToNode,
  type Result,
  type Row,
  type RowEventType,
  SECTION_OF_EVENT,
  SECTIONS,
  type Section,
  type Template,
} from '#protocol.ts'
import { FAKE_COMMANDS, type FakeLookups } from './fake-commands.ts'
import {
  accountRow,
  closedRow,
  componentRows,
  decimal,
  engineRow,
  instrumentRow,
  nanos,
  nodeInstrumentId,
  nodePositionId,
  nodeStrategyId,
  orderRow,
  positionRow,
  previewData,
  riskRow,
  strategyRow,
} from './node-rows.ts'

export interface FakeNodeOptions {
  readonly socket: string
  readonly token?: string
  readonly protocol?: Hello['protocol']
  /** How many events it can replay. */
  readonly replayed?: number
}

/** A node that speaks the protocol with the embedded engine behind it, for tests. It has no clock of its own. */
export class FakeNode {
  readonly #options: FakeNodeOptions
  readonly #instruments = standardInstruments()
  #now: Instant = START
  readonly #clock: Clock = { now: () => this.#now }
  readonly #connections = new Set<Connection>()
  /** Survives a restart, as the journal of the bridge does. */
  readonly #results = new Map<string, Result | null>()
  readonly received: CommandFrame[] = []
  /** Minutes by instrument, which a test sets. */
  readonly pastBars = new Map<string, PastBars['bars']>()
  #server: Server | null = null
  #desk: RunningDesk | null = null
  #epoch = ''
  #starts = 0
  #events: Event[] = []
  #seq = 0
  #rows = new Map<Section, Map<string, { json: string; row: Row<Section>; rev: number }>>()
  #fills = new Map<string, FillRecord[]>()
  #orderIds = new Map<string, string>()
  #isAnswering = true
  #held: (() => void)[] = []

  constructor(options: FakeNodeOptions) {
    this.#options = options
  }

  /** Starts a new process of the node: a new epoch, nothing of the last one but the journal of commands. */
  async start(): Promise<void> {
    this.#epoch = randomUUID()
    this.#starts += 1
    this.#events = []
    this.#seq = 0
    this.#rows = new Map()
    this.#fills = new Map()
    this.#orderIds = new Map()
    const instruments = this.#instruments
    const desk = await startDeskLoop({
      instruments,
      createEngine: (state) => createEngine({ instruments, state }),
      clock: this.#clock,
      venue: createSimulatedVenue({ instruments }),
      journal: createMemoryJournal(),
      onEntry: (entry, views) => this.#onEntry(entry, views),
    })
    this.#desk = desk
    await desk.submit({
      type: 'OpenDesk',
      cash: 100_000,
      limits: DEFAULT_LIMITS,
      venues: ['BINANCE', 'BYBIT', 'OKX'],
    })
    await desk.idle()
    await this.listen()
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Accepts connections again. */
  async listen(): Promise<void> {
    const server = createServer((socket) => this.#accept(socket))
    this.#server = server
    await rm(this.#options.socket, { force: true })
    await new Promise<void>((resolve) => server.listen(this.#options.socket, resolve))
  }

  /** Ends all connections and refuses new ones; the engine goes on. */
  async disconnect(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const { socket } of this.#connections) socket.destroy()
    if (server !== null) await new Promise((resolve) => server.close(resolve))
  }

  /** Dies without a word. */
  async kill(): Promise<void> {
    await this.disconnect()
    this.#desk?.close()
    this.#desk = null
  }

  get epoch(): string {
    return this.#epoch
  }

  get seq(): number {
    return this.#seq
  }

  /** The engine behind it, to compare with. */
  get desk(): RunningDesk {
    if (this.#desk === null) throw new Error('the fake node is not started')
    return this.#desk
  }

  /** Holds back the answers to commands, which are carried out, until `resumeAnswers`. */
  holdAnswers(): void {
    this.#isAnswering = false
  }

  resumeAnswers(): void {
    this.#isAnswering = true
    for (const answer of this.#held.splice(0)) answer()
  }

  async quote(given: QuoteGiven = {}): Promise<void> {
    this.desk.accept(aQuote(this.#instruments, { at: this.#tick(), ...given }))
    await this.settle()
  }

  async trade(given: TradeGiven): Promise<void> {
    const trade = aTrade(this.#instruments, { at: this.#tick(), ...given })
    this.desk.accept(trade)
    await this.settle([trade])
  }

  /** Waits until the engine is idle, then sends the figures that change without events. */
  async settle(trades: readonly ReturnType<typeof aTrade>[] = []): Promise<void> {
    await this.desk.idle()
    this.#broadcast(this.#metrics(trades))
  }

  /** Sends a frame of a test's own to every console. */
  send(frame: FromNode): void {
    this.#broadcast(frame)
  }

  /** Sends bytes of a test's own to every console. */
  sendBytes(bytes: string): void {
    for (const { socket } of this.#connections) socket.write(bytes)
  }

  /** Loses an event on its way. */
  loseEvent(): void {
    this.#seq += 1
  }

  #tick(): Instant {
    this.#now = instantFromMs(this.#now + 1_000)
    return this.#now
  }

  #accept(socket: Socket): void {
    const connection: Connection = { socket, role: null }
    this.#connections.add(connection)
    const reader = new LineReader((line) => void this.#onLine(connection, line))
    socket
      .on('data', (chunk: Buffer) => reader.push(chunk))
      .on('error', () => {})
      .on('close', () => {
        this.#connections.delete(connection)
        this.#promote()
      })
    this.#send(connection, this.#hello())
  }

  #hello(): Hello {
    return {
      k: 'hello',
      v: 1,
      protocol: this.#options.protocol ?? { min: 1, max: 1 },
      epoch: this.#epoch,
      trader_id: 'DESK-001',
      environment: 'sandbox',
      versions: { bridge: '1.0', nautilus: 'fake', python: 'none' },
      pid: process.pid,
      capabilities: [
        ...Object.keys(FAKE_COMMANDS),
        'adapter.connect',
        'adapter.disconnect',
        'command.status',
        'order.preview',
        'bars.get',
      ],
      templates: BUILT_IN_KINDS.map(templateOf),
      seq: this.#seq,
      oldest_seq: this.#oldestSeq(),
    }
  }

  #oldestSeq(): number {
    return Math.max(1, this.#seq - (this.#options.replayed ?? 10_000) + 1)
  }

  async #onLine(connection: Connection, line: string): Promise<void> {
    const frame = parseToNode(line)
    switch (frame.k) {
      case 'ping':
        return this.#send(connection, { k: 'pong' })
      case 'pong':
        return
      case 'auth': {
        if (frame.token !== (this.#options.token ?? '')) {
          this.#send(connection, { k: 'bye', reason: 'NOT_ALLOWED: the token is wrong' })
          connection.socket.end()
          return
        }
        return this.#welcome(connection, frame.resume)
      }
      case 'command':
        return this.#onCommand(connection, frame)
    }
  }

  #welcome(connection: Connection, resume: { epoch: string; seq: number } | null): void {
    const hasWriter = [...this.#connections].some(({ role }) => role === 'writer')
    connection.role = hasWriter ? 'reader' : 'writer'
    const canReplay = resume?.epoch === this.#epoch && this.#oldestSeq() <= resume.seq + 1
    this.#send(connection, {
      k: 'welcome',
      role: connection.role,
      resume: canReplay ? 'replay' : 'snapshot',
    })
    if (canReplay) {
      for (const event of this.#events) if (event.seq > resume.seq) this.#send(connection, event)
    } else this.#sendSnapshot(connection)
    this.#send(connection, this.#metrics([]))
  }

  /** The next console becomes the writer when the first leaves. */
  #promote(): void {
    const [next] = this.#connections
    if (next?.role !== 'reader' || [...this.#connections].some(({ role }) => role === 'writer')) return
    next.role = 'writer'
    this.#send(next, { k: 'welcome', role: 'writer', resume: 'replay' })
  }

  #sendSnapshot(connection: Connection): void {
    // The keys of the table of sections are the sections.
    for (const section of Object.keys(SECTIONS) as Section[]) {
      const rows = [...(this.#rows.get(section)?.values() ?? [])].map(({ row, rev }) => ({ ...row, rev }))
      // Each row was made for its section.
      const slice = { k: 'snapshot', section, rows, last: true, as_of: this.#seq } as FromNode
      this.#send(connection, slice)
    }
    this.#send(connection, { k: 'snapshot', section: 'end', as_of: this.#seq })
  }

  async #onCommand(connection: Connection, frame: CommandFrame): Promise<void> {
    const { id, name, args } = frame
    this.received.push(frame)
    if (name === 'command.status') return this.#onStatus(connection, id, String(args.id))
    if (name === 'order.preview') return this.#onPreview(connection, id, args)
    if (name === 'bars.get') return this.#onBars(connection, id, args)
    if (connection.role !== 'writer') {
      return this.#reject(connection, id, 'NOT_WRITER', 'another console is the writer')
    }
    const known = this.#results.get(id)
    if (known !== undefined) {
      this.#send(connection, { k: 'ack', id, status: 'duplicate' })
      if (known !== null) this.#send(connection, known)
      return
    }
    let command: Command
    try {
      command = this.#parse(name, args, id)
    } catch (fault) {
      return this.#reject(connection, id, 'INVALID', fault instanceof Error ? fault.message : String(fault))
    }
    this.#results.set(id, null)
    this.#answer(connection, { k: 'ack', id, status: 'accepted' })
    const outcome = await this.desk.submit(command, { by: frame.actor })
    await this.desk.idle()
    const result: Result = { k: 'result', id, seq: this.#seq, ...this.#resultOf(outcome) }
    this.#results.set(id, result)
    this.#answer(connection, result)
  }

  #parse(name: string, args: Readonly<Record<string, unknown>>, id: string): Command {
    if (name === 'adapter.connect' || name === 'adapter.disconnect') {
      const venue = String(args.client_id).replace('exec_client:', '')
      const known = this.#desk
        ?.readViews()
        .engine()
        .venues.find((row) => row.id === venue)
      if (known === undefined) throw new Error(`no client ${venue}`)
      return { type: name === 'adapter.connect' ? 'ConnectVenue' : 'DisconnectVenue', venue: known.id }
    }
    const parse = FAKE_COMMANDS[name]
    if (parse === undefined) throw new Error(`no command ${name}`)
    return parse(args, this.#lookups, id)
  }

  #onStatus(connection: Connection, id: string, of: string): void {
    const known = this.#results.get(of)
    const state: CommandState = known ?? { status: known === null ? 'running' : 'none' }
    const { status, code, message, data } = state
    this.#answer(connection, { k: 'ack', id, status: 'accepted' })
    this.#answer(connection, {
      k: 'result',
      id,
      status: 'completed',
      data: { status, code, message, data },
    })
  }

  #onBars(connection: Connection, id: string, { instrument_id, limit }: CommandFrame['args']): void {
    this.#send(connection, { k: 'ack', id, status: 'accepted' })
    const bars = (this.pastBars.get(String(instrument_id)) ?? []).slice(-Number(limit))
    this.#send(connection, { k: 'result', id, status: 'completed', data: { bars } })
  }

  async #onPreview(connection: Connection, id: string, args: CommandFrame['args']): Promise<void> {
    this.#send(connection, { k: 'ack', id, status: 'accepted' })
    const command = this.#parse('order.submit', args, id)
    const { key: _, ...order } = command as PlaceOrder // What 'order.submit' makes.
    const outcome = await this.desk.preview(order)
    const answer: Omit<Result, 'k' | 'id'> = outcome.ok
      ? { status: 'completed', data: previewData(outcome.value) }
      : { status: 'failed', code: 'INVALID', message: describeReason(outcome.reason) }
    this.#send(connection, { k: 'result', id, ...answer })
  }

  #resultOf(outcome: Outcome): Omit<Result, 'k' | 'id'> {
    if (!outcome.ok) {
      if (outcome.reason.code === 'exit.past-market') {
        const { exit, isLong, price, market } = outcome.reason
        const data = { exit, is_long: isLong, price: decimal(price), market: decimal(market) }
        return { status: 'failed', code: 'INVALID', message: describeReason(outcome.reason), data }
      }
      const code = outcome.reason.code.endsWith('.unknown') ? 'NOT_FOUND' : 'BAD_STATE'
      return { status: 'failed', code, message: describeReason(outcome.reason) }
    }
    if (outcome.strategy !== undefined) {
      return { status: 'completed', data: { strategy_id: nodeStrategyId(outcome.strategy) } }
    }
    if (outcome.orderId === null) return { status: 'completed' }
    const order = this.desk.readViews().order(outcome.orderId)
    const data = { order_id: this.#orderIds.get(outcome.orderId) ?? outcome.orderId }
    if (order?.status !== 'REJECTED') return { status: 'completed', data }
    const code = order.reason?.code.startsWith('venue.') ? 'REJECTED_VENUE' : 'DENIED_RISK'
    return { status: 'failed', code, message: order.reason?.sentence, data }
  }

  readonly #lookups: FakeLookups = {
    instruments: this.#instruments,
    orderOf: (id) => [...this.#orderIds].find(([, nodeId]) => nodeId === id)?.[0],
    positionOf: (id) =>
      this.desk
        .readViews()
        .positions()
        .find(
          ({ instrument, strategy }) =>
            nodePositionId({ instrument: nodeInstrumentId(this.#instruments.get(instrument)), strategy }) ===
            id,
        )?.id,
  }

  #onEntry(entry: JournalEntry, views: EngineViews): void {
    for (const event of entry.events) {
      if (event.type !== 'OrderSubmitted' && event.type !== 'OrderDenied') continue
      const { key } = event.terms
      this.#orderIds.set(event.orderId, key === null ? event.orderId : `C-${key}`)
    }
    const change = changeOf(entry, views)
    this.#publishOrders(change)
    for (const closed of views.closedBy(entry.seq)) {
      this.#publish('position', closedRow(closed, this.#instruments.get(closed.instrument)))
    }
    this.#publishRows(views)
  }

  #publishOrders(change: DeskChange): void {
    if (change.kind !== 'views') return
    for (const fill of change.fills) {
      this.#fills.set(fill.orderId, [...(this.#fills.get(fill.orderId) ?? []), fill])
    }
    for (const order of change.orders) {
      const row = orderRow(order, {
        id: this.#orderIds.get(order.id) ?? order.id,
        instrument: this.#instruments.get(order.instrument),
        fills: this.#fills.get(order.id) ?? [],
      })
      this.#publish('order', row)
    }
  }

  #publishRows(views: EngineViews): void {
    const engine = views.engine()
    const account = views.account()
    const risk = views.risk()
    this.#publish('engine', engineRow(engine, 'DESK-001', this.#starts > 1))
    for (const row of componentRows(engine)) this.#publish('component', row)
    for (const instrument of this.#instruments.all) this.#publish('instrument', instrumentRow(instrument))
    for (const strategy of views.strategies()) {
      this.#publish('strategy', strategyRow(strategy, account.strategies))
    }
    const strategies = new Set(views.strategies().map(({ id }) => nodeStrategyId(id)))
    for (const id of this.#rows.get('strategies')?.keys() ?? []) {
      if (!strategies.has(id)) this.#remove('strategy', id)
    }
    for (const position of views.positions()) {
      this.#publish('position', positionRow(position, this.#instruments.get(position.instrument)))
    }
    this.#publish('account', accountRow(account, risk))
    this.#publish('risk', riskRow(risk, views.emergency()))
  }

  /** Sends a row if it differs from the last one of its id. */
  #publish<Type extends RowEventType>(type: Type, row: Row<(typeof SECTION_OF_EVENT)[Type]>): void {
    const table = this.#table(SECTION_OF_EVENT[type])
    const json = JSON.stringify(row)
    if (table.get(row.id)?.json === json) return
    const seq = this.#emit(type, { event: 'Changed', view: row })
    table.set(row.id, { json, row, rev: seq })
  }

  #remove(type: RowEventType, id: string): void {
    this.#table(SECTION_OF_EVENT[type]).delete(id)
    this.#emit(type, { event: 'Removed', id, view: null })
  }

  #emit(type: RowEventType, data: { event: string; id?: string; view: Row<Section> | null }): number {
    this.#seq += 1
    // The row was made for this type.
    const event = { k: 'event', seq: this.#seq, ts: nanos(this.#now), type, data } as Event
    this.#events = [...this.#events, event].slice(-(this.#options.replayed ?? 10_000))
    this.#broadcast(event)
    return this.#seq
  }

  #table(section: Section) {
    const table =
      this.#rows.get(section) ?? new Map<string, { json: string; row: Row<Section>; rev: number }>()
    this.#rows.set(section, table)
    return table
  }

  #metrics(trades: readonly ReturnType<typeof aTrade>[]): FromNode {
    const views = this.desk.readViews()
    const risk = views.risk()
    return {
      k: 'metrics',
      ts: nanos(this.#now),
      quotes: views.quotes().map(({ instrument, bid, ask, at }) => ({
        instrument_id: nodeInstrumentId(this.#instruments.get(instrument)),
        bid: decimal(bid),
        ask: decimal(ask),
        bid_size: '10',
        ask_size: '10',
        ts: nanos(at),
      })),
      trades: trades.map(({ instrument, price, size, aggressor, at }) => {
        const { tick, lot, ...rest } = this.#instruments.get(instrument)
        return {
          instrument_id: nodeInstrumentId({ tick, lot, ...rest }),
          price: decimal((price * tick.unitCount) / 1e8),
          size: decimal((size * lot.unitCount) / 1e8),
          side: aggressor,
          ts: nanos(at),
        }
      }),
      positions: views.positions().map(({ instrument, strategy, currentPrice, unrealised }) => ({
        id: nodePositionId({ instrument: nodeInstrumentId(this.#instruments.get(instrument)), strategy }),
        mark: decimal(currentPrice),
        unrealized: decimal(unrealised),
      })),
      equity: decimal(risk.equity),
      exposure: decimal(risk.totalExposure),
      margin_used: decimal(risk.marginUsed),
      margin_free: decimal(risk.marginAvailable),
      day_result: decimal(risk.dayResult),
      var_1d: risk.valueAtRisk === null ? null : decimal(risk.valueAtRisk),
      loop_lag_ms: 0,
    }
  }

  #reject(connection: Connection, id: string, code: 'INVALID' | 'NOT_WRITER', message: string): void {
    this.#answer(connection, { k: 'ack', id, status: 'rejected', code, message })
  }

  #answer(connection: Connection, frame: FromNode): void {
    if (this.#isAnswering) this.#send(connection, frame)
    else this.#held.push(() => this.#send(connection, frame))
  }

  #broadcast(frame: FromNode): void {
    for (const connection of this.#connections) if (connection.role !== null) this.#send(connection, frame)
  }

  #send({ socket }: Connection, frame: FromNode): void {
    if (!socket.destroyed) socket.write(encodeFrame(frame))
  }
}

interface Connection {
  readonly socket: Socket
  role: 'writer' | 'reader' | null
}

function templateOf(kind: StrategyKind): Template {
  const { type, title, about, parameters } = kind
  return {
    type,
    title,
    about,
    earns_when: kind.earnsWhen,
    loses_when: kind.losesWhen,
    parameters: parameters.flatMap((parameter) => {
      const { name, label, description } = parameter
      switch (parameter.kind) {
        case 'number':
        case 'integer':
        case 'text':
        case 'choice':
        case 'interval':
        case 'instrument':
          return {
            name,
            label,
            description,
            kind: parameter.kind,
            default: parameter.default,
            ...('min' in parameter && { min: parameter.min, max: parameter.max }),
            ...('choices' in parameter && { choices: [...parameter.choices] }),
          }
        case 'instruments': {
          const { kind: list, min, max } = parameter
          return { name, label, description, kind: list, min, max, default: [...parameter.default] }
        }
        default:
          return []
      }
    }),
  }
}
