import { randomUUID } from 'node:crypto'
import { Listeners } from '@binnacle/engine'
import {
  type CommandJournal,
  type CommandRecord,
  createMemoryCommandJournal,
  type RequestRecord,
} from './command-journal.ts'
import { type CommandOutcome, outcomeOf } from './command-outcome.ts'
import { type NodeAddress, NodeConnection } from './node-connection.ts'
import { NodeView } from './node-view.ts'
import {
  type Ack,
  CommandState,
  type Event,
  type FromNode,
  type Hello,
  PROTOCOL_VERSION,
  type Result,
  type Snapshot,
  type Welcome,
} from './protocol.ts'
import { type Timers, WALL_TIMERS } from './timers.ts'

export interface NodeClientOptions {
  readonly address: NodeAddress
  /** Needed beyond a Unix socket. */
  readonly token?: string
  readonly journal?: CommandJournal
  readonly timers?: Timers
  /** Called with what a person who runs the console should know. */
  readonly onWarning?: (event: string, message: string) => void
  /** Called with what a listener throws; without it the fault is the caller's. */
  readonly onFault?: (fault: unknown) => void
}

/** The connection to the node: 'current' means that the view follows the node's events. */
export interface NodeStatus {
  readonly state: 'connecting' | 'current' | 'disconnected'
  /** Why there is no connection, in words. */
  readonly reason: string | null
  /** When the last frame of any kind came; null before the first. */
  readonly lastFrameAt: number | null
  /** Whether this console may send commands. */
  readonly isWriter: boolean
}

export type NodeChange =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'metrics' }
  /** The connection or all rows changed. */
  | { readonly kind: 'reset' }
  /** A command whose outcome was unknown. */
  | { readonly kind: 'settled'; readonly id: string; readonly outcome: CommandOutcome }

export interface CommandRequest {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly actor: string
  /** A UUID; the same one twice is the same command twice. */
  readonly id?: string
}

/** A node begins a command only this long after it was sent. */
const EXPIRY_MS = 5_000
/** A node answers 'unknown' itself after 5 s; this is for a node that does not answer. */
const RESULT_MS = 15_000
/** Between two questions for the outcome of a command. */
const ASK_AGAIN_MS = 1_000
const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000]
const NANOS_PER_MS = 1_000_000n

type Reactions = {
  readonly [Kind in FromNode['k']]?: (frame: Extract<FromNode, { k: Kind }>) => void
}

interface InFlight {
  readonly settle: (outcome: CommandOutcome) => void
  readonly stopTimer: () => void
}

/** Follows one node: its rows, its changes and the outcomes of commands, over as many connections as it takes. */
export class NodeClient {
  readonly #options: NodeClientOptions
  readonly #timers: Timers
  readonly #journal: CommandJournal
  readonly #listeners: Listeners<[NodeChange]>
  readonly #inFlight = new Map<string, InFlight>()
  readonly #repeats = new Map<string, Promise<CommandOutcome>>()
  readonly #unknown = new Map<string, RequestRecord>()
  #connection: NodeConnection | null = null
  #hello: Hello | null = null
  #view: NodeView | null = null
  /** The rows of a snapshot until it is complete. */
  #building: NodeView | null = null
  #status: NodeStatus = { state: 'connecting', reason: null, lastFrameAt: null, isWriter: false }
  /** Results whose events have not come yet. */
  #early: Result[] = []
  #failures = 0
  #stopRetry: () => void = () => {}
  #isClosed = false

  constructor(options: NodeClientOptions) {
    this.#options = options
    this.#listeners = this.createListeners()
    this.#timers = options.timers ?? WALL_TIMERS
    this.#journal = options.journal ?? createMemoryCommandJournal()
    for (const record of this.#journal.unsettled) this.#unknown.set(record.id, record)
    this.#connect()
  }

  /** The last rows of the node, current or not; null before the first snapshot. */
  get view(): NodeView | null {
    return this.#view
  }

  get status(): NodeStatus {
    return this.#status
  }

  /** What the node said about itself when it was last connected. */
  get hello(): Hello | null {
    return this.#hello
  }

  /** Commands whose outcome is unknown and not reconciled yet. */
  get unknown(): readonly RequestRecord[] {
    return [...this.#unknown.values()]
  }

  /** Returns the request that was first recorded with an id. */
  firstRequest(id: string): RequestRecord | undefined {
    return this.#journal.firstRequest(id)
  }

  onChange(listener: (change: NodeChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Listeners whose faults are reported with those of this client. */
  createListeners<Args extends readonly unknown[]>(): Listeners<Args> {
    return new Listeners(this.#options.onFault ?? rethrow)
  }

  /** Sends a command. Resolves with its outcome once the rows show its effect. */
  request(command: CommandRequest): Promise<CommandOutcome> {
    const id = command.id ?? randomUUID()
    const running = this.#repeats.get(id)
    if (running !== undefined) return running
    const outcome = this.#send({ ...command, id }).finally(() => this.#repeats.delete(id))
    this.#repeats.set(id, outcome)
    return outcome
  }

  /** The time by which it waits, in milliseconds. */
  now(): number {
    return this.#timers.now()
  }

  /** Asks for something that changes nothing: no journal, and no other console is in its way. */
  async query(name: string, args: CommandRequest['args']): Promise<CommandOutcome> {
    const { state, reason } = this.#status
    if (state !== 'current') return { status: 'refused', message: reason ?? 'the node is not connected yet' }
    return this.#transmit(this.#queryRecord(name, args))
  }

  #queryRecord(name: string, args: CommandRequest['args']) {
    return { id: randomUUID(), name, args, actor: 'console', expiresAt: this.#timers.now() + EXPIRY_MS }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRetry()
    this.#connection?.end('the console closed the connection')
    await Promise.allSettled(this.#repeats.values())
    await this.#journal.close()
  }

  async #send({ id, name, args, actor }: CommandRequest & { id: string }): Promise<CommandOutcome> {
    const obstacle = this.#obstacle()
    if (obstacle !== null) return { status: 'refused', message: obstacle }
    const connection = this.#connection
    const at = this.#timers.now()
    const record: RequestRecord = { type: 'requested', id, name, args, actor, at, expiresAt: at + EXPIRY_MS }
    const fault = await this.#record(record)
    if (fault !== null) return { status: 'refused', message: `the journal of commands failed: ${fault}` }
    // The connection may have ended while the journal was written; then nothing was sent.
    const outcome =
      connection === this.#connection && this.#status.state === 'current'
        ? await this.#transmit(record)
        : { status: 'refused' as const, message: this.#obstacle() ?? 'the connection to the node changed' }
    if (outcome.status === 'unknown') this.#unknown.set(id, record)
    else this.#unknown.delete(id)
    await this.#record({ type: 'settled', id, at: this.#timers.now(), outcome })
    return outcome
  }

  /** Returns null, or why the record is not on the disk. */
  async #record(record: CommandRecord): Promise<string | null> {
    try {
      await this.#journal.append(record)
      return null
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault)
      this.#options.onWarning?.('node.journal', message)
      return message
    }
  }

  /** Sends a frame and waits for its outcome. */
  #transmit({
    id,
    name,
    args,
    actor,
    expiresAt,
  }: Omit<RequestRecord, 'type' | 'at'>): Promise<CommandOutcome> {
    return new Promise((resolve) => {
      const stopTimer = this.#timers.after(RESULT_MS, () =>
        this.#settle(id, { status: 'unknown', message: `the node did not answer in ${RESULT_MS / 1_000} s` }),
      )
      this.#inFlight.set(id, { settle: resolve, stopTimer })
      const expires_at = String(BigInt(expiresAt) * NANOS_PER_MS)
      this.#connection?.send({ k: 'command', id, name, args, actor, expires_at })
    })
  }

  #obstacle(): string | null {
    const { state, reason } = this.#status
    return state === 'current' ? this.readOnlyBecause : (reason ?? 'the node is not connected yet')
  }

  /** Why a node whose rows are current takes no commands of this console, or null. It has one writer at a time. */
  get readOnlyBecause(): string | null {
    const { state, isWriter } = this.#status
    return state !== 'current' || isWriter ? null : 'another console sends the commands of this node'
  }

  #connect(): void {
    this.#connection = new NodeConnection({
      address: this.#options.address,
      timers: this.#timers,
      onFrame: (frame) => {
        this.#status = { ...this.#status, lastFrameAt: this.#timers.now() }
        this.#onFrame(frame)
      },
      onEnd: (reason) => this.#onEnd(reason),
    })
  }

  #onFrame(frame: FromNode): void {
    // The table's entry for a kind takes exactly that kind's frame.
    const react = this.#reactions[frame.k] as ((frame: FromNode) => void) | undefined
    react?.(frame)
  }

  readonly #reactions: Reactions = {
    hello: (frame) => this.#onHello(frame),
    welcome: (frame) => this.#onWelcome(frame),
    snapshot: (frame) => this.#onSnapshot(frame),
    event: (frame) => this.#onEvent(frame),
    metrics: (frame) => this.#onMetrics(frame),
    ack: (frame) => this.#onAck(frame),
    result: (frame) => this.#onResult(frame),
  }

  #onHello(hello: Hello): void {
    const { min, max } = hello.protocol
    if (PROTOCOL_VERSION < min || PROTOCOL_VERSION > max) {
      this.#connection?.end(
        `the node speaks protocol ${min} to ${max}, this console speaks ${PROTOCOL_VERSION}: update the older one`,
      )
      return
    }
    this.#hello = hello
    const known = this.#view
    this.#connection?.send({
      k: 'auth',
      token: this.#options.token ?? '',
      role: 'writer',
      console: 'binnacle',
      resume: known?.epoch === hello.epoch ? { epoch: known.epoch, seq: known.seq } : null,
    })
  }

  #onWelcome({ role, resume }: Welcome): void {
    const isWriter = role === 'writer'
    // A reader becomes the writer when the other console leaves.
    if (this.#status.state === 'current') {
      this.#setStatus({ isWriter })
      return
    }
    this.#status = { ...this.#status, isWriter }
    if (resume === 'replay') this.#becomeCurrent()
    else this.#building = new NodeView(this.#hello?.epoch ?? '', 0)
  }

  #onSnapshot(slice: Snapshot): void {
    const building = this.#building
    if (building === null) return
    if (slice.section !== 'end') {
      building.takeSlice(slice)
      return
    }
    building.seq = Math.max(building.seq, slice.as_of)
    this.#view = building
    this.#building = null
    this.#becomeCurrent()
  }

  #onEvent(event: Event): void {
    const view = this.#building ?? this.#view
    if (view === null) return
    // Events before the first one of a snapshot are in its rows.
    if (view.seq !== 0 && event.seq !== view.seq + 1) {
      // Only a full snapshot can repair a gap.
      this.#view = null
      this.#connection?.end(`event ${event.seq} followed event ${view.seq}`)
      return
    }
    view.apply(event)
    if (view !== this.#view) return
    this.#publish({ kind: 'event', event })
    this.#releaseResults(event.seq)
  }

  #onMetrics(metrics: Extract<FromNode, { k: 'metrics' }>): void {
    const view = this.#building ?? this.#view
    if (view === null) return
    view.metrics = metrics
    if (view === this.#view) this.#publish({ kind: 'metrics' })
  }

  #onAck({ id, status, code, message }: Ack): void {
    if (status !== 'rejected') return
    this.#settle(id, outcomeOf({ status: 'failed', code, message }))
  }

  /** An outcome is passed on once the rows show it. */
  #onResult(result: Result): void {
    if ((result.seq ?? 0) > (this.#view?.seq ?? 0)) this.#early.push(result)
    else this.#settle(result.id, outcomeOf(result))
  }

  #releaseResults(seq: number): void {
    const ready = this.#early.filter((result) => (result.seq ?? 0) <= seq)
    if (ready.length === 0) return
    this.#early = this.#early.filter((result) => !ready.includes(result))
    for (const result of ready) this.#settle(result.id, outcomeOf(result))
  }

  #settle(id: string, outcome: CommandOutcome): void {
    const command = this.#inFlight.get(id)
    // The late answer of a command that counted as unknown.
    if (command === undefined) {
      void this.#resolveUnknown(id, outcome)
      return
    }
    this.#inFlight.delete(id)
    command.stopTimer()
    command.settle(outcome)
  }

  #becomeCurrent(): void {
    this.#failures = 0
    this.#setStatus({ state: 'current', reason: null })
    for (const record of this.#unknown.values()) void this.#reconcile(record)
  }

  /** Asks the node for the outcome of a command until it knows it. */
  async #reconcile(record: RequestRecord): Promise<void> {
    const connection = this.#connection
    const answer = await this.#transmit(this.#queryRecord('command.status', { id: record.id }))
    const state = answer.status === 'completed' ? CommandState.safeParse(answer.data).data : undefined
    // Without a connection the next one asks again.
    if (connection !== this.#connection || !this.#unknown.has(record.id)) return
    const mayStillBegin = state?.status === 'none' && this.#timers.now() <= record.expiresAt
    // A node that was too busy to answer is asked again.
    if (state === undefined || state.status === 'running' || mayStillBegin) {
      this.#timers.after(Math.max(ASK_AGAIN_MS, record.expiresAt - this.#timers.now() + 1), () => {
        if (connection === this.#connection && this.#unknown.has(record.id)) void this.#reconcile(record)
      })
      return
    }
    await this.#resolveUnknown(record.id, outcomeOf(state))
  }

  async #resolveUnknown(id: string, outcome: CommandOutcome): Promise<void> {
    if (outcome.status === 'unknown' || !this.#unknown.delete(id)) return
    await this.#record({ type: 'settled', id, at: this.#timers.now(), outcome })
    this.#publish({ kind: 'settled', id, outcome })
  }

  #onEnd(reason: string): void {
    this.#connection = null
    this.#building = null
    this.#early = []
    for (const id of [...this.#inFlight.keys()]) {
      this.#settle(id, { status: 'unknown', message: `${reason} before it answered` })
    }
    if (this.#status.reason !== reason) this.#options.onWarning?.('node.disconnected', reason)
    this.#setStatus({ state: 'disconnected', reason, isWriter: false })
    if (this.#isClosed) return
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures++, RETRY_DELAYS_MS.length - 1)] ?? 0
    this.#stopRetry = this.#timers.after(delay, () => this.#connect())
  }

  #setStatus(change: Partial<NodeStatus>): void {
    this.#status = { ...this.#status, ...change }
    this.#publish({ kind: 'reset' })
  }

  #publish(change: NodeChange): void {
    this.#listeners.call(change)
  }
}

function rethrow(fault: unknown): never {
  throw fault
}
