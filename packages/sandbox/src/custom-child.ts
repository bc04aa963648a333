import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type {
  FailureMessage,
  IntentMessage,
  Reply,
  StartMessage,
  StrategyUpdate,
  UpdateRequest,
} from '#child/protocol.ts'
import { INTENT_RATE, TOO_MANY_INTENTS } from './intent.ts'
import { RateLimit } from './rate-limit.ts'
import { parseReply } from './reply.ts'
import { type MemoryLimits, type ModuleFailure, SealedProcess } from './sealed-process.ts'

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
  /** Ends the process while it loads the module. */
  signal?: AbortSignal | undefined
}

export interface ChildLimits extends MemoryLimits {
  /** To load the module and replay warm-up bars. */
  startMs: number
  /** For each reply once it trades; waiting for a busy CPU does not count. */
  answerMs: number
}

export const CHILD_LIMITS: ChildLimits = { startMs: 10_000, answerMs: 1_000, heapMb: 128, memoryMb: 384 }
const MAX_REPLY_CHARS = 1 << 17
const RUNNER = fileURLToPath(new URL('./child/runner.ts', import.meta.url))
/** The sources that the process reads. */
export const CHILD_SOURCES = fileURLToPath(new URL('./child/', import.meta.url))

/** Starts the process and loads the module; rejects with a ModuleFailure if that fails. */
export async function startCustomChild(options: CustomChildOptions): Promise<CustomChild> {
  const child = new WatchedChild(options)
  const end = () => child.end()
  options.signal?.addEventListener('abort', end)
  try {
    await child.begin()
  } finally {
    options.signal?.removeEventListener('abort', end)
  }
  return child
}

interface PendingRequest {
  number: number
  resolve: (reply: Reply) => void
  reject: (failure: ModuleFailure) => void
}

class WatchedChild implements CustomChild {
  readonly #options: CustomChildOptions
  readonly #limits: ChildLimits
  readonly #process: SealedProcess
  #pending: PendingRequest | null = null
  #nextNumber = 0
  readonly #intentRate = new RateLimit(INTENT_RATE)
  wantsQuotes = true

  constructor(options: CustomChildOptions) {
    this.#options = options
    this.#limits = { ...CHILD_LIMITS, ...options.limits }
    const { folder, module } = options
    this.#process = new SealedProcess({
      module,
      folder,
      runner: RUNNER,
      readable: [CHILD_SOURCES],
      limits: this.#limits,
      maxLineChars: MAX_REPLY_CHARS,
      onLine: (line) => this.#onLine(line),
      onEnd: (failure) => {
        this.#pending?.reject(failure)
        this.#pending = null
      },
    })
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
    this.#process.lowerPriority()
  }

  async deliver(update: StrategyUpdate): Promise<readonly IntentMessage[]> {
    const request: UpdateRequest = { ...update, number: this.#nextNumber }
    const { intents } = await this.#request(
      request,
      update.isLive ? this.#limits.answerMs : this.#limits.startMs,
    )
    if (intents.length > 0 && !this.#intentRate.take(update.now, intents.length)) {
      throw this.#process.finish(this.#process.failure(TOO_MANY_INTENTS))
    }
    return intents
  }

  end(): void {
    this.#process.finish(this.#process.failure('was stopped'))
  }

  async #request(line: StartMessage | UpdateRequest, withinMs: number): Promise<Reply> {
    const { ended } = this.#process
    if (ended !== null) throw ended
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.#pending = { number: this.#nextNumber++, resolve, reject }
    this.#process.expectWithin(withinMs)
    this.#process.write(`${JSON.stringify(line)}\n`)
    const reply = await promise
    for (const said of reply.printed) this.#options.onPrinted?.(said)
    if (reply.failure === undefined) return reply
    throw this.#process.finish(this.#process.failure(failureText(reply.failure)))
  }

  /** Resolves the pending request; returns what is wrong with the line. */
  #onLine(line: string): string | null {
    const pending = this.#pending
    if (pending === null) return 'sent a reply without a request'
    const parsed = parseReply(line)
    if ('wrong' in parsed) return `sent an invalid reply (${parsed.wrong})`
    if (parsed.reply.number !== pending.number) return 'replied to another request'
    this.#pending = null
    this.#process.expectWithin(0)
    pending.resolve(parsed.reply)
    return null
  }
}

/** Completes a sentence that begins with the name of the module. */
export function failureText({ message, where }: FailureMessage): string {
  return `failed: ${message}${where === null ? '' : ` (${where})`}`
}
