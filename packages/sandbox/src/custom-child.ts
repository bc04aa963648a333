import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { IntentMessage, Reply, StartMessage, StrategyUpdate, UpdateRequest } from '#child/protocol.ts'
import { lowerPriority, spawnBound } from './bound-process.ts'
import { readProcessFigures } from './process-figures.ts'
import { RateLimit } from './rate-limit.ts'
import { parseReply } from './reply.ts'
import { RequestClock } from './request-clock.ts'

/** Why a custom strategy was stopped, in words for the author of the module. */
export class ModuleFailure extends Error {}

/** A custom strategy's process. One request at a time; any failure ends it for good. */
export interface CustomChild {
  /** False when the module has only `onBar`. */
  readonly wantsQuotes: boolean
  /** Resolves with the module's intents, or rejects with a ModuleFailure. */
  deliver(update: StrategyUpdate): Promise<readonly IntentMessage[]>
  /** Ends the process at once. */
  end(): void
}

export interface CustomChildOptions {
  folder: string
  module: string
  terms: Omit<StartMessage, 'module' | 'folder'>
  /** Called with each line the module prints. */
  onPrinted?: (line: string) => void
  limits?: Partial<ChildLimits>
}

export interface ChildLimits {
  /** To load the module and replay warm-up bars. */
  startMs: number
  /** For each reply once it trades; waiting for a busy CPU does not count. */
  answerMs: number
  heapMb: number
  /** Resident memory of the process, including its heap and Node itself. */
  memoryMb: number
}

const LIMITS: ChildLimits = { startMs: 10_000, answerMs: 1_000, heapMb: 128, memoryMb: 384 }
const MAX_REPLY_CHARS = 1 << 17
const MAX_OUTPUT_CHARS = 1 << 16
const WATCH_MS = 100
const NODE_START_MS = 2000
/** In market time, so that backtest and live trading count alike. */
const INTENT_RATE = { burst: 200, perSecond: 5 }
const TOO_MANY_INTENTS = `submitted too many orders and cancels (burst ${INTENT_RATE.burst}, then ${INTENT_RATE.perSecond}/s)`
const RUNNER = new URL('./child/runner.ts', import.meta.url)

/** Starts the process and loads the module; rejects with a ModuleFailure if that fails. */
export async function startCustomChild(options: CustomChildOptions): Promise<CustomChild> {
  const child = new WatchedChild(options)
  await child.begin()
  return child
}

/** Node's arguments: only the two folders can be read, and the heap is limited. */
export function nodeArguments(folder: string, heapMb: number): string[] {
  return [
    '--permission',
    `--allow-fs-read=${fileURLToPath(new URL('.', RUNNER))}`,
    `--allow-fs-read=${join(folder, '/')}`,
    `--max-old-space-size=${heapMb}`,
    '--disable-warning=ExperimentalWarning',
  ]
}

interface PendingRequest {
  number: number
  withinMs: number
  clock: RequestClock
  resolve: (reply: Reply) => void
  reject: (failure: ModuleFailure) => void
}

class WatchedChild implements CustomChild {
  readonly #options: CustomChildOptions
  readonly #limits: ChildLimits
  readonly #process: ChildProcess
  readonly #watch: NodeJS.Timeout
  readonly #priorityTimer: NodeJS.Timeout
  #pending: PendingRequest | null = null
  #nextNumber = 0
  readonly #decoder = new StringDecoder('utf8')
  #replyText = ''
  #output = ''
  #ended: ModuleFailure | null = null
  readonly #intentRate = new RateLimit(INTENT_RATE)
  wantsQuotes = true

  constructor(options: CustomChildOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    const { folder } = options
    const args = [...nodeArguments(folder, this.#limits.heapMb), fileURLToPath(RUNNER)]
    this.#process = spawnBound(args, folder)
    this.#listen()
    // Node's own start runs at normal priority.
    this.#priorityTimer = setTimeout(() => lowerPriority(this.#process), NODE_START_MS).unref()
    this.#watch = setInterval(() => this.#checkLimits(), WATCH_MS).unref()
  }

  async begin(): Promise<void> {
    const { folder, module, terms } = this.#options
    const message: StartMessage = {
      ...terms,
      module: pathToFileURL(join(folder, module)).href,
      folder: pathToFileURL(join(folder, '/')).href,
    }
    const { wantsQuotes } = await this.#request(message, this.#limits.startMs)
    this.wantsQuotes = wantsQuotes ?? true
    lowerPriority(this.#process)
  }

  async deliver(update: StrategyUpdate): Promise<readonly IntentMessage[]> {
    const request: UpdateRequest = { ...update, number: this.#nextNumber }
    const { intents } = await this.#request(
      request,
      update.isLive ? this.#limits.answerMs : this.#limits.startMs,
    )
    if (intents.length > 0 && !this.#intentRate.take(update.now, intents.length)) {
      throw this.#finish(this.#failure(TOO_MANY_INTENTS))
    }
    return intents
  }

  end(): void {
    this.#finish(this.#failure('was stopped'))
  }

  async #request(line: StartMessage | UpdateRequest, withinMs: number): Promise<Reply> {
    if (this.#ended !== null) throw this.#ended
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const clock = new RequestClock(performance.now(), withinMs)
    this.#pending = { number: this.#nextNumber++, withinMs, clock, resolve, reject }
    this.#process.stdin?.write(`${JSON.stringify(line)}\n`)
    const reply = await promise
    for (const said of reply.printed) this.#options.onPrinted?.(said)
    if (reply.failure === undefined) return reply
    const { message, where } = reply.failure
    const failure = this.#failure(`failed: ${message}${where === null ? '' : ` (${where})`}`)
    throw this.#finish(failure)
  }

  #listen(): void {
    const { stdout, stderr, stdio = [] } = this.#process
    this.#process.on('error', (fault) =>
      this.#finish(this.#failure(`could not be started: ${fault.message}`)),
    )
    this.#process.on('close', (code, signal) => this.#finish(this.#describeEnd(code, signal)))
    // Errors of the pipes to an exited child; its exit is reported by 'close'.
    for (const stream of stdio) stream?.on('error', () => {})
    for (const stream of [stdout, stderr]) stream?.on('data', (bytes: Buffer) => this.#onOutput(bytes))
    stdio[3]?.on('data', (bytes: Buffer) => this.#onReplyBytes(bytes))
  }

  #onReplyBytes(bytes: Buffer): void {
    this.#replyText += this.#decoder.write(bytes)
    const wrong = this.#readReply()
    if (wrong !== null) this.#finish(this.#failure(wrong))
  }

  /** Resolves the pending request once the line is complete; returns what is wrong with it. */
  #readReply(): string | null {
    const pending = this.#pending
    if (pending === null) return 'sent a reply without a request'
    if (this.#replyText.length > MAX_REPLY_CHARS)
      return `sent a reply of more than ${MAX_REPLY_CHARS} characters`
    if (!this.#replyText.endsWith('\n')) return null
    const parsed = parseReply(this.#replyText)
    this.#replyText = ''
    if ('wrong' in parsed) return `sent an invalid reply (${parsed.wrong})`
    if (parsed.reply.number !== pending.number) return 'replied to another request'
    this.#pending = null
    pending.resolve(parsed.reply)
    return null
  }

  /** Output of Node itself, such as a fatal error: the module's console does not write here. */
  #onOutput(bytes: Buffer): void {
    this.#output += bytes.toString('latin1')
    if (this.#output.length > MAX_OUTPUT_CHARS)
      this.#finish(this.#failure(`printed more than ${MAX_OUTPUT_CHARS} characters`))
  }

  /** Memory is checked between requests too, as promises of the module may continue after its reply. */
  #checkLimits(): void {
    const pending = this.#pending
    const figures = readProcessFigures(this.#process.pid)
    if (figures.memoryMb > this.#limits.memoryMb) this.#finish(this.#failure(this.#memoryFailure()))
    else if (pending?.clock.isOverdue(performance.now(), figures)) {
      // If this thread was blocked, the reply may have arrived: it is read first.
      setImmediate(() => {
        if (this.#pending === pending)
          this.#finish(this.#failure(`did not answer within ${pending.withinMs} ms`))
      })
    }
  }

  #describeEnd(code: number | null, signal: string | null): ModuleFailure {
    if (/heap out of memory|invalid array length Allocation/i.test(this.#output)) {
      return this.#failure(this.#memoryFailure())
    }
    return this.#failure(`exited (${signal ?? `exit code ${code}`})`)
  }

  #memoryFailure(): string {
    return `exceeded its memory limit (${this.#limits.heapMb} MB heap, ${this.#limits.memoryMb} MB in total)`
  }

  #failure(what: string): ModuleFailure {
    return new ModuleFailure(`${this.#options.module} ${what}`)
  }

  /** Ends the process. Only the first reason counts. */
  #finish(failure: ModuleFailure): ModuleFailure {
    if (this.#ended !== null) return this.#ended
    this.#ended = failure
    clearInterval(this.#watch)
    clearTimeout(this.#priorityTimer)
    this.#process.kill('SIGKILL')
    for (const stream of this.#process.stdio ?? []) stream?.destroy()
    this.#pending?.reject(failure)
    this.#pending = null
    return failure
  }
}
