import { ClientFrame, type ServerFrame, STREAM_ERRORS } from '@binnacle/contract'
import type { QuoteView } from '@binnacle/engine'
import { describeIssue } from '#http/describe-issue.ts'
import type { PublishedChange } from './replay-buffer.ts'
import { isOffered, type OfferedTopic, quoteToWire } from './stream-rows.ts'

/** What a client's session needs of the hub. */
export interface StreamSource {
  readonly epoch: string
  readonly seq: number
  readonly oldestSeq: number
  readonly pausedBecause: string | null
  /** The changes after a seq; undefined if some of them are gone. */
  changesAfter(seq: number): readonly PublishedChange[] | undefined
  /** The state of a topic, as JSON text. */
  snapshotText(topic: OfferedTopic): string
  quotes(): readonly QuoteView[]
  heartbeat(): ServerFrame
}

/** The connection of a client, as its session uses it. */
export interface StreamConnection {
  readonly bufferedBytes: number
  send(frame: Buffer): void
  ping(): void
  close(code: number, reason: string): void
}

/** Above this a client counts as slow: it gets nothing more until it has read everything, and then snapshots. */
const MAX_BUFFERED_BYTES = 256 * 1024
/** A larger snapshot is not sent; the client loads the list by its call. */
const MAX_SNAPSHOT_BYTES = 512 * 1024
/** A client that keeps sending nonsense is disconnected. */
const MAX_FAULTS = 20

/** One client's subscriptions, and what it still has to be sent. Its unread bytes stay below 1 MB. */
export class StreamClient {
  readonly #source: StreamSource
  readonly #connection: StreamConnection
  readonly #topics = new Set<OfferedTopic>()
  #instruments: ReadonlySet<string> | undefined
  /** Topics whose next frame must be a snapshot. While there are any, no change is sent. */
  readonly #due = new Set<OfferedTopic>()
  /** The latest quote of each instrument that was not sent yet. */
  readonly #quotes = new Map<string, QuoteView>()
  #faults = 0

  constructor(source: StreamSource, connection: StreamConnection) {
    this.#source = source
    this.#connection = connection
  }

  /** Takes a message of the client. */
  receive(text: string): void {
    const parsed = ClientFrame.safeParse(parseJson(text))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      this.#fail('stream.malformed', issue ? describeIssue(issue) : '')
      return
    }
    const frame = parsed.data
    const offered = frame.topics.filter(isOffered)
    if (frame.type === 'unsubscribe') {
      for (const topic of offered) this.#remove(topic)
      return
    }
    const missing = frame.topics.find((topic) => !isOffered(topic))
    if (missing !== undefined) this.#fail('stream.topic', missing)
    if (frame.instruments !== undefined) this.#instruments = new Set(frame.instruments)
    this.#subscribe(offered, frame.resume)
  }

  /** Sends a change, unless the client is slow. */
  deliver(change: PublishedChange): void {
    if (!this.#topics.has(change.topic)) return
    if (this.#isFull()) this.resynchronise()
    else if (this.#due.size === 0) this.#connection.send(change.frame)
  }

  /** Quotes are coalesced: only the latest of each instrument is sent, and a slow client gets fewer. */
  addQuotes(quotes: readonly QuoteView[]): void {
    if (!this.#topics.has('quotes')) return
    for (const quote of quotes) {
      if (this.#instruments?.has(quote.instrument) ?? true) this.#quotes.set(quote.instrument, quote)
    }
  }

  sendQuotes(): void {
    if (this.#quotes.size === 0 || this.#due.size > 0 || this.#connection.bufferedBytes > 0) return
    const quotes = [...this.#quotes.values()].map(quoteToWire)
    this.#quotes.clear()
    this.send({ type: 'change', seq: this.#source.seq, topic: 'quotes', data: { quotes } })
  }

  /** Brings the client up to date by snapshots of all its topics. */
  resynchronise(): void {
    for (const topic of this.#topics) this.#due.add(topic)
    this.#quotes.clear()
    this.sendDue()
  }

  /** Sends the snapshots that are due, as far as the client reads. */
  sendDue(): void {
    if (this.#source.pausedBecause !== null) return
    for (const topic of this.#due) {
      if (this.#isFull()) return
      this.#due.delete(topic)
      this.#sendSnapshot(topic)
    }
  }

  /** Sends a frame of state or a heartbeat; a slow client learns of it by its snapshots. */
  send(frame: ServerFrame): void {
    if (!this.#isFull()) this.#connection.send(Buffer.from(JSON.stringify(frame)))
  }

  /** Also asks the connection for a sign of life. While snapshots are due, a heartbeat would promise too much. */
  beat(frame: ServerFrame): void {
    this.#connection.ping()
    if (this.#due.size === 0) this.send(frame)
  }

  #isFull(): boolean {
    return this.#connection.bufferedBytes > MAX_BUFFERED_BYTES
  }

  #subscribe(topics: readonly OfferedTopic[], resume: Resume | undefined): void {
    const added = topics.filter((topic) => !this.#topics.has(topic))
    for (const topic of added) this.#topics.add(topic)
    const missed = resume?.epoch === this.#source.epoch ? this.#missedSince(resume.seq) : undefined
    if (missed === undefined || this.#due.size > 0) {
      for (const topic of added) this.#due.add(topic)
    } else {
      for (const change of missed) this.deliver(change)
      // Quotes are not kept for a replay: only the latest count.
      if (added.includes('quotes')) this.#due.add('quotes')
    }
    this.sendDue()
    // Says that nothing is missing any more; a snapshot without `partial` says so too.
    if (this.#due.size === 0) this.send(this.#source.heartbeat())
  }

  /** A seq of the future was never sent by this server. */
  #missedSince(seq: number): readonly PublishedChange[] | undefined {
    return seq > this.#source.seq ? undefined : this.#source.changesAfter(seq)
  }

  #sendSnapshot(topic: OfferedTopic): void {
    const { seq } = this.#source
    const text = topic === 'quotes' ? this.#quotesText() : this.#source.snapshotText(topic)
    const data = text.length > MAX_SNAPSHOT_BYTES ? '' : `,"data":${text}`
    const partial = this.#due.size > 0 ? ',"partial":true' : ''
    this.#connection.send(Buffer.from(`{"type":"snapshot","seq":${seq},"topic":"${topic}"${data}${partial}}`))
  }

  #quotesText(): string {
    const quotes = this.#source
      .quotes()
      .filter(({ instrument }) => this.#instruments?.has(instrument) ?? true)
    return JSON.stringify({ quotes: quotes.map(quoteToWire) })
  }

  #remove(topic: OfferedTopic): void {
    this.#topics.delete(topic)
    this.#due.delete(topic)
    if (topic === 'quotes') this.#quotes.clear()
  }

  #fail(code: keyof typeof STREAM_ERRORS, detail: string): void {
    this.#faults += 1
    this.send({ type: 'error', seq: this.#source.seq, code, message: `${STREAM_ERRORS[code]}: ${detail}` })
    if (this.#faults >= MAX_FAULTS) this.#connection.close(1008, 'Too many invalid messages')
  }
}

interface Resume {
  epoch: string
  seq: number
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
