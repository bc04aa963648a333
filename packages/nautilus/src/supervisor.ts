import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Timers, WALL_TIMERS } from './timers.ts'

export interface SupervisorOptions {
  readonly program: string
  readonly args: readonly string[]
  /** The whole environment of the process: it inherits nothing. */
  readonly env: Readonly<Record<string, string>>
  readonly timers?: Timers
  /** Called with each line that the process prints. */
  readonly onLine: (line: string) => void
  /** Called with what a person who runs the console should know. */
  readonly onWarning: (event: string, message: string) => void
}

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000
/** A node that ends this often in the window stays ended. */
const MAX_EXITS = 5
const WINDOW_MS = 600_000

/** Runs a node as a child process: starts it again when it ends by itself, and ends it with the console. */
export class NodeSupervisor {
  readonly #options: SupervisorOptions
  readonly #timers: Timers
  #child: ChildProcess | null = null
  #exits: number[] = []
  #stopTimer: () => void = () => {}
  #isClosing = false
  #onExit: () => void = () => {}

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#timers = options.timers ?? WALL_TIMERS
    this.#start()
  }

  /** The process id, or null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Asks the process to end and waits; after the grace period it is killed. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    this.#stopTimer()
    const child = this.#child
    if (child === null) return
    const ended = new Promise<void>((resolve) => {
      this.#onExit = resolve
    })
    child.stdin?.end()
    child.kill('SIGTERM')
    const stopKill = this.#timers.after(graceMs, () => child.kill('SIGKILL'))
    await ended
    stopKill()
  }

  #start(): void {
    const { program, args, env, onLine } = this.#options
    // The open standard input says that the console lives: a node whose console is killed sees its end.
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine)
    child.stdin.on('error', () => {})
    child.on('error', (fault) => {
      // Without a process there is no exit event.
      if (child.pid === undefined) this.#ended(fault.message)
    })
    child.on('exit', (code, signal) => this.#ended(signal ?? `status ${code}`))
  }

  #ended(how: string): void {
    this.#child = null
    this.#onExit()
    if (this.#isClosing) return
    const now = this.#timers.now()
    this.#exits = [...this.#exits.filter((at) => now - at < WINDOW_MS), now]
    if (this.#exits.length >= MAX_EXITS) {
      const message = `The node ended ${MAX_EXITS} times in ${WINDOW_MS / 60_000} minutes, last with ${how}. It is not started again; see its log, then restart Binnacle`
      this.#options.onWarning('node.given-up', message)
      return
    }
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#exits.length - 1))
    this.#options.onWarning(
      'node.ended',
      `The node ended with ${how}. It is started again in ${delay / 1_000} s`,
    )
    this.#stopTimer = this.#timers.after(delay, () => this.#start())
  }
}
