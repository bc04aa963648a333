import { ServerFrame, STREAM_MARKET_TOPICS, type StreamTopic } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'
import type { TabSubscription } from './tab-subscription.ts'

export type StreamState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** Connected, but the server sends no changes; `reason` is its sentence. */
  | { kind: 'paused'; reason: string }
  | { kind: 'disconnected' }

export interface StreamSocketOptions {
  url: string
  topics: readonly StreamTopic[]
  onFrame: (frame: ServerFrame) => void
  onState: (state: StreamState) => void
  /** For tests. */
  openSocket?: (url: string) => WebSocket
  random?: () => number
}

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 15_000
/** Until hello says the server's own interval. */
const HEARTBEAT_MS = 5_000
/** Missed heartbeats after which the connection counts as lost. */
const MISSED_HEARTBEATS = 3

/** One connection to the stream: connects again after every loss and resumes from the last seq. */
export class StreamSocket {
  readonly #options: StreamSocketOptions
  #socket: WebSocket | undefined
  #resume: { epoch: string; seq: number } | undefined
  #epoch: string | undefined
  #heartbeatMs = HEARTBEAT_MS
  #failures = 0
  #pauseReason: string | null = null
  #offered: readonly string[] = []
  #subscription: TabSubscription | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #receivedAt = 0
  #isStarted = false

  constructor(options: StreamSocketOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    window.addEventListener('online', this.#reconnect)
    window.addEventListener('offline', this.#lose)
    this.#open()
  }

  stop(): void {
    this.#isStarted = false
    window.removeEventListener('online', this.#reconnect)
    window.removeEventListener('offline', this.#lose)
    clearTimeout(this.#retry)
    this.#release()
  }

  /** Asks for snapshots of everything, for a reader that has nothing yet. */
  reload(): void {
    const { topics } = this.#options
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.#send({ type: 'unsubscribe', topics })
    this.#send({ type: 'subscribe', topics })
  }

  /** Sets the market data that is sent. Setting the same again brings its snapshots, for a tab that has none. */
  setSubscription(subscription: TabSubscription | undefined): void {
    const before = this.#subscription
    this.#subscription = subscription
    const ended: StreamTopic[] = [
      ...(showsMarket(before) && !showsMarket(subscription)
        ? (['quotes', ...STREAM_MARKET_TOPICS] as const)
        : []),
      ...(before?.logs && !subscription?.logs ? (['logs'] as const) : []),
    ]
    if (ended.length > 0 && this.#socket?.readyState === WebSocket.OPEN)
      this.#send({ type: 'unsubscribe', topics: ended })
    this.#sendSubscription()
  }

  #sendSubscription(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.#subscription === undefined) return
    const { logs, ...market } = this.#subscription
    if (logs && this.#offered.includes('logs')) this.#send({ type: 'subscribe', topics: ['logs'] })
    if (!showsMarket(market) || !this.#offered.includes('book')) return
    // Quotes are of all instruments, the other topics of those that are shown.
    this.#send({ type: 'subscribe', topics: ['quotes'] })
    this.#send({ type: 'subscribe', topics: STREAM_MARKET_TOPICS, ...market })
  }

  /** Remembers where to resume; also called for frames that another tab received. */
  remember(frame: ServerFrame): void {
    if (frame.type === 'hello') this.#epoch = frame.epoch
    const isWhole = frame.type !== 'hello' && !('partial' in frame && frame.partial)
    if (isWhole && this.#epoch !== undefined) this.#resume = { epoch: this.#epoch, seq: frame.seq }
  }

  #open(): void {
    clearTimeout(this.#retry)
    this.#options.onState({ kind: 'connecting' })
    const { url, openSocket = (at) => new WebSocket(at) } = this.#options
    const socket = openSocket(url)
    this.#socket = socket
    this.#receivedAt = performance.now()
    this.#watch()
    socket.onmessage = ({ data }) => this.#receive(data)
    socket.onclose = () => this.#lose()
  }

  #receive(data: unknown): void {
    this.#receivedAt = performance.now()
    const frame = ServerFrame.safeParse(parseJson(String(data))).data
    // A newer server may send frames that this console does not know.
    if (frame === undefined) return
    if (frame.type === 'hello') this.#onHello(frame)
    this.remember(frame)
    this.#options.onFrame(frame)
    if (frame.type === 'status') this.#pauseReason = frame.paused
    if (this.#pauseReason !== null) {
      this.#options.onState({ kind: 'paused', reason: this.#pauseReason })
    } else if (isInSync(frame)) {
      this.#failures = 0
      this.#options.onState({ kind: 'live' })
    }
  }

  #onHello({ heartbeat_ms, topics: offered }: Extract<ServerFrame, { type: 'hello' }>): void {
    this.#heartbeatMs = heartbeat_ms
    this.#watch()
    this.#pauseReason = null
    const topics = this.#options.topics.filter((topic) => offered.includes(topic))
    this.#send({ type: 'subscribe', topics, ...(this.#resume && { resume: this.#resume }) })
    this.#offered = offered
    this.#sendSubscription()
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  /** Half-open connections give no sign, so silence counts as a loss. Timed once per silence, not per frame. */
  #watch(): void {
    clearTimeout(this.#watchdog)
    const leftMs = this.#receivedAt + this.#heartbeatMs * MISSED_HEARTBEATS - performance.now()
    if (leftMs <= 0) this.#lose()
    else this.#watchdog = setTimeout(() => this.#watch(), leftMs)
  }

  readonly #lose = (): void => {
    if (!this.#isStarted || this.#socket === undefined) return
    this.#release()
    this.#options.onState({ kind: 'disconnected' })
    const { random = Math.random } = this.#options
    const longest = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures)
    this.#failures += 1
    // Spread, so that clients of a restarted server do not all return in the same instant.
    this.#retry = setTimeout(() => this.#open(), longest * (0.5 + random() / 2))
  }

  readonly #reconnect = (): void => {
    if (this.#isStarted && this.#socket === undefined) this.#open()
  }

  #release(): void {
    clearTimeout(this.#watchdog)
    const socket = this.#socket
    this.#socket = undefined
    if (socket === undefined) return
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }
}

function showsMarket(subscription: TabSubscription | undefined): boolean {
  return subscription !== undefined && subscription.instruments.length > 0
}

/** After one of these the client has everything up to its seq. */
function isInSync(frame: ServerFrame): boolean {
  return frame.type === 'heartbeat' || (frame.type === 'snapshot' && frame.partial === undefined)
}
