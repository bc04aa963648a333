import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Allowance } from './allowance.ts'
import { putBehind, spawnBound } from './bound-process.ts'
import type { Beginning, Heard, IntentTold, Question, Reply } from './child/protocol.ts'
import { ModuleFailure } from './module-failure.ts'
import { lookAtProcess } from './process-figures.ts'
import { parseReply } from './reply.ts'

/** A custom strategy's process. One question at a time; whatever goes wrong ends it for good. */
export interface CustomChild {
  /** False when the module listens to bars only. */
  readonly hearsQuotes: boolean
  /** Resolves with what the module wants, or rejects with a ModuleFailure. */
  ask(heard: Heard): Promise<readonly IntentTold[]>
  /** Ends the process at once. */
  end(): void
}

export interface CustomChildOptions {
  folder: string
  module: string
  terms: Omit<Beginning, 'module' | 'folder'>
  /** Hears what the module prints. */
  onSaid?: (line: string) => void
  limits?: Partial<ChildLimits>
}

export interface ChildLimits {
  /** To load the module, and to hear the past. */
  startMs: number
  /** For each answer once it trades, of the processor's time where the system tells it. */
  answerMs: number
  heapMb: number
  /** Everything the process holds, its heap and Node itself included. */
  memoryMb: number
}

const LIMITS: ChildLimits = { startMs: 10_000, answerMs: 1_000, heapMb: 128, memoryMb: 384 }
const LONGEST_REPLY = 1 << 17
const MOST_PRINTED = 1 << 16
const WATCH_MS = 100
const STARTED_MS = 2000
/** In the market's time, so that a backtest counts as live trading does. */
const WISHES = { atOnce: 200, perSecond: 5 }
const TOO_MANY_WISHES = `wanted too much (${WISHES.atOnce} orders and cancels in a row, then ${WISHES.perSecond} a second)`
/** A module that waits for the processor is given this many times its time. */
const PATIENCE = 10
const RUNNER = new URL('./child/runner.ts', import.meta.url)

/** Starts the process and loads the module; rejects with a ModuleFailure when that cannot be. */
export async function startCustomChild(options: CustomChildOptions): Promise<CustomChild> {
  const child = new WatchedChild(options)
  await child.begin()
  return child
}

/** What Node is told: nothing but reading the two folders, and only so much heap. */
export function sealedArguments(folder: string, heapMb: number): string[] {
  return [
    '--permission',
    `--allow-fs-read=${fileURLToPath(new URL('.', RUNNER))}`,
    `--allow-fs-read=${join(folder, '/')}`,
    `--max-old-space-size=${heapMb}`,
    '--disable-warning=ExperimentalWarning',
  ]
}

interface Asked {
  number: number
  at: number
  withinMs: number
  /** What the process had used of the processor when it was first looked at; null where the system does not tell. */
  usedMs?: number | null
  resolve: (reply: Reply) => void
  reject: (failure: ModuleFailure) => void
}

class WatchedChild implements CustomChild {
  readonly #options: CustomChildOptions
  readonly #limits: ChildLimits
  readonly #process: ChildProcess
  readonly #watch: NodeJS.Timeout
  readonly #settling: NodeJS.Timeout
  #asked: Asked | null = null
  #nextNumber = 0
  readonly #decoder = new StringDecoder('utf8')
  #answer = ''
  #printed = ''
  #ended: ModuleFailure | null = null
  readonly #allowance = new Allowance(WISHES)
  hearsQuotes = true

  constructor(options: CustomChildOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    const { folder } = options
    const args = [...sealedArguments(folder, this.#limits.heapMb), fileURLToPath(RUNNER)]
    this.#process = spawnBound(args, folder)
    this.#listen()
    // Node's own start is not the module's doing, and is soon over.
    this.#settling = setTimeout(() => putBehind(this.#process), STARTED_MS).unref()
    this.#watch = setInterval(() => this.#look(), WATCH_MS).unref()
  }

  async begin(): Promise<void> {
    const { folder, module, terms } = this.#options
    const beginning: Beginning = {
      ...terms,
      module: pathToFileURL(join(folder, module)).href,
      folder: pathToFileURL(join(folder, '/')).href,
    }
    const { hearsQuotes } = await this.#say(beginning, this.#limits.startMs)
    this.hearsQuotes = hearsQuotes ?? true
    putBehind(this.#process)
  }

  async ask(heard: Heard): Promise<readonly IntentTold[]> {
    const question: Question = { ...heard, number: this.#nextNumber }
    const { intents } = await this.#say(question, heard.isLive ? this.#limits.answerMs : this.#limits.startMs)
    if (intents.length > 0 && !this.#allowance.take(heard.now, intents.length)) {
      throw this.#finish(this.#failure(TOO_MANY_WISHES))
    }
    return intents
  }

  end(): void {
    this.#finish(this.#failure('was ended'))
  }

  async #say(line: Beginning | Question, withinMs: number): Promise<Reply> {
    if (this.#ended !== null) throw this.#ended
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.#asked = { number: this.#nextNumber++, at: performance.now(), withinMs, resolve, reject }
    this.#process.stdin?.write(`${JSON.stringify(line)}\n`)
    const reply = await promise
    for (const said of reply.said) this.#options.onSaid?.(said)
    if (reply.failure === undefined) return reply
    const { message, where } = reply.failure
    const failure = this.#failure(`failed: ${message}${where === null ? '' : ` (${where})`}`)
    throw this.#finish(failure)
  }

  #listen(): void {
    const { stdout, stderr, stdio = [] } = this.#process
    this.#process.on('error', (fault) => this.#finish(this.#failure(`could not be run: ${fault.message}`)))
    this.#process.on('close', (code, signal) => this.#finish(this.#describeEnd(code, signal)))
    // What goes wrong on the way to a child that is gone is told by its end.
    for (const stream of stdio) stream?.on('error', () => {})
    for (const stream of [stdout, stderr]) stream?.on('data', (bytes: Buffer) => this.#takePrinted(bytes))
    stdio[3]?.on('data', (bytes: Buffer) => this.#takeAnswer(bytes))
  }

  #takeAnswer(bytes: Buffer): void {
    this.#answer += this.#decoder.write(bytes)
    const wrong = this.#readAnswer()
    if (wrong !== null) this.#finish(this.#failure(wrong))
  }

  /** Answers who asked, once the line is whole; returns what is wrong with it. */
  #readAnswer(): string | null {
    const asked = this.#asked
    if (asked === null) return 'spoke without being asked'
    if (this.#answer.length > LONGEST_REPLY) return 'answered far too much'
    if (!this.#answer.endsWith('\n')) return null
    const parsed = parseReply(this.#answer)
    this.#answer = ''
    if ('wrong' in parsed) return `answered nonsense (${parsed.wrong})`
    if (parsed.reply.number !== asked.number) return 'answered another question'
    this.#asked = null
    asked.resolve(parsed.reply)
    return null
  }

  /** The module's console is sealed, so this is Node itself, at the end of its memory or its wits. */
  #takePrinted(bytes: Buffer): void {
    this.#printed += bytes.toString('latin1')
    if (this.#printed.length > MOST_PRINTED) this.#finish(this.#failure('printed far too much'))
  }

  /** Its memory is looked at even when it is not asked: promises of a module can go on after its answer. */
  #look(): void {
    const asked = this.#asked
    const { heldMb, usedMs } = lookAtProcess(this.#process.pid)
    if (asked !== null && asked.usedMs === undefined) asked.usedMs = usedMs
    if (heldMb > this.#limits.memoryMb) this.#finish(this.#failure(this.#tooMuchMemory()))
    else if (asked !== null && isOverdue(asked, usedMs)) {
      // When this thread was held up the answer may be there already: it is read before the verdict.
      setImmediate(() => {
        if (this.#asked === asked) this.#finish(this.#failure(`did not answer within ${asked.withinMs} ms`))
      })
    }
  }

  #describeEnd(code: number | null, signal: string | null): ModuleFailure {
    if (/heap out of memory|invalid array length Allocation/i.test(this.#printed)) {
      return this.#failure(this.#tooMuchMemory())
    }
    return this.#failure(`ended by itself (${signal ?? `exit code ${code}`})`)
  }

  #tooMuchMemory(): string {
    return `used more memory than it may (${this.#limits.heapMb} MB of objects, ${this.#limits.memoryMb} MB in all)`
  }

  #failure(what: string): ModuleFailure {
    return new ModuleFailure(`${this.#options.module} ${what}`)
  }

  /** Ends the process, for the first reason that there is. */
  #finish(failure: ModuleFailure): ModuleFailure {
    if (this.#ended !== null) return this.#ended
    this.#ended = failure
    clearInterval(this.#watch)
    clearTimeout(this.#settling)
    this.#process.kill('SIGKILL')
    for (const stream of this.#process.stdio ?? []) stream?.destroy()
    this.#asked?.reject(failure)
    this.#asked = null
    return failure
  }
}

/** On a busy machine a module may wait long for its turn, which is not its fault. */
function isOverdue({ at, withinMs, usedMs: before }: Asked, usedMs: number | null): boolean {
  const passedMs = performance.now() - at
  const ownMs = usedMs === null || before == null ? passedMs : usedMs - before
  return (passedMs > withinMs && ownMs > withinMs) || passedMs > withinMs * PATIENCE
}
