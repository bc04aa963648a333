import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { lowerPriority, spawnBound } from './bound-process.ts'
import { readProcessFigures } from './process-figures.ts'
import { RequestClock } from './request-clock.ts'

/** Why a custom strategy was stopped, in words for the author of the module. */
export class ModuleFailure extends Error {
  /** Whether the process was ended by a signal of somebody else. */
  isKilled = false
}

export interface MemoryLimits {
  heapMb: number
  /** Resident memory of the process, including its heap and Node itself. */
  memoryMb: number
}

export interface SealedProcessOptions {
  /** The name of the module, with which every failure begins. */
  module: string
  /** The folder of the modules: what the process may read besides `readable`. */
  folder: string
  runner: string
  /** Folders with the sources of the runner. */
  readable: readonly string[]
  limits: MemoryLimits
  /** Memory that the process needs besides, such as for bars. */
  extraMb?: number
  maxLineChars: number
  /** Takes a line; returns what is wrong with it. */
  onLine(line: string): string | null
  /** Called once, with the first reason. */
  onEnd(failure: ModuleFailure): void
}

const MAX_OUTPUT_CHARS = 1 << 16
const WATCH_MS = 100
const NODE_START_MS = 2000

/** Node's arguments: only these folders can be read, and the heap is limited. */
export function nodeArguments(folders: readonly string[], heapMb: number): string[] {
  return [
    '--permission',
    ...folders.map((folder) => `--allow-fs-read=${join(folder, '/')}`),
    `--max-old-space-size=${heapMb}`,
    '--disable-warning=ExperimentalWarning',
  ]
}

/**
 * A Node process that can only read some folders, with limits of memory and time. It sends lines on its fourth pipe. Any
 * failure ends it for good.
 */
export class SealedProcess {
  readonly #options: SealedProcessOptions
  readonly #process: ChildProcess
  readonly #watch: NodeJS.Timeout
  readonly #priorityTimer: NodeJS.Timeout
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #output = ''
  #due: { clock: RequestClock; withinMs: number } | null = null
  #ended: ModuleFailure | null = null

  constructor(options: SealedProcessOptions) {
    this.#options = options
    const { folder, readable, limits, runner } = options
    const args = [...nodeArguments([...readable, folder], limits.heapMb), runner]
    this.#process = spawnBound(args, folder)
    this.#listen()
    // Node's own start runs at normal priority.
    this.#priorityTimer = setTimeout(() => this.lowerPriority(), NODE_START_MS).unref()
    this.#watch = setInterval(() => this.#checkLimits(), WATCH_MS).unref()
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get ended(): ModuleFailure | null {
    return this.#ended
  }

  write(bytes: string | Uint8Array): void {
    this.#process.stdin?.write(bytes)
  }

  /** Starts the time in which the next line must arrive; 0 ms stop it. */
  expectWithin(withinMs: number): void {
    this.#due = withinMs > 0 ? { clock: new RequestClock(performance.now(), withinMs), withinMs } : null
  }

  lowerPriority(): void {
    lowerPriority(this.#process)
  }

  failure(what: string): ModuleFailure {
    return new ModuleFailure(`${this.#options.module} ${what}`)
  }

  /** Ends the process. Only the first reason counts. */
  finish(failure: ModuleFailure): ModuleFailure {
    if (this.#ended !== null) return this.#ended
    this.#ended = failure
    clearInterval(this.#watch)
    clearTimeout(this.#priorityTimer)
    this.#process.kill('SIGKILL')
    for (const stream of this.#process.stdio ?? []) stream?.destroy()
    this.#options.onEnd(failure)
    return failure
  }

  #listen(): void {
    const { stdout, stderr, stdio = [] } = this.#process
    this.#process.on('error', (fault) => this.finish(this.failure(`could not be started: ${fault.message}`)))
    this.#process.on('close', (code, signal) => this.finish(this.#describeEnd(code, signal)))
    // Errors of the pipes to an exited child; its exit is reported by 'close'.
    for (const stream of stdio) stream?.on('error', () => {})
    for (const stream of [stdout, stderr]) stream?.on('data', (bytes: Buffer) => this.#onOutput(bytes))
    stdio[3]?.on('data', (bytes: Buffer) => this.#onBytes(bytes))
  }

  #onBytes(bytes: Buffer): void {
    this.#text += this.#decoder.write(bytes)
    const wrong = this.#takeLines()
    if (wrong !== null) this.finish(this.failure(wrong))
  }

  /** Returns what is wrong with a line. */
  #takeLines(): string | null {
    const { maxLineChars, onLine } = this.#options
    for (;;) {
      const end = this.#text.indexOf('\n')
      if (Math.max(end, end < 0 ? this.#text.length : 0) > maxLineChars) {
        return `sent a reply of more than ${maxLineChars} characters`
      }
      if (end < 0 || this.#ended !== null) return null
      const line = this.#text.slice(0, end)
      this.#text = this.#text.slice(end + 1)
      const wrong = onLine(line)
      if (wrong !== null) return wrong
    }
  }

  /** Output of Node itself, such as a fatal error: the module's console does not write here. */
  #onOutput(bytes: Buffer): void {
    this.#output += bytes.toString('latin1')
    if (this.#output.length > MAX_OUTPUT_CHARS)
      this.finish(this.failure(`printed more than ${MAX_OUTPUT_CHARS} characters`))
  }

  /** Memory is checked between requests too, as promises of the module may continue after its reply. */
  #checkLimits(): void {
    const due = this.#due
    const { limits, extraMb = 0 } = this.#options
    const figures = readProcessFigures(this.#process.pid)
    if (figures.memoryMb > limits.memoryMb + extraMb) this.finish(this.failure(this.#memoryFailure()))
    else if (due?.clock.isOverdue(performance.now(), figures)) {
      // If this thread was blocked, the reply may have arrived: it is read first.
      setImmediate(() => {
        if (this.#due === due) this.finish(this.failure(`did not answer within ${due.withinMs} ms`))
      })
    }
  }

  #describeEnd(code: number | null, signal: string | null): ModuleFailure {
    if (/heap out of memory|invalid array length Allocation/i.test(this.#output)) {
      return this.failure(this.#memoryFailure())
    }
    const failure = this.failure(`exited (${signal ?? `exit code ${code}`})`)
    // A process that runs out of memory aborts itself.
    failure.isKilled = signal !== null && signal !== 'SIGABRT' && signal !== 'SIGTRAP'
    return failure
  }

  #memoryFailure(): string {
    const { heapMb, memoryMb } = this.#options.limits
    return `exceeded its memory limit (${heapMb} MB heap, ${memoryMb} MB in total)`
  }
}
