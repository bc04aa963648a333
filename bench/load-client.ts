import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { percentile } from './figures.ts'

/** Asks a server as fast as a number of clients can, and prints what came of it as one line of JSON. */

export interface Load {
  url: string
  method: 'GET' | 'POST'
  path: string
  /** Each client takes the next of these in turn. */
  bodies?: readonly object[]
  expected: number
  clients: number
  /** How long one turn lasts. */
  seconds: number
  /** A client asks at most this often; without it as fast as it can. */
  everyMs?: number
}

/** Several loads in turns, so that all meet the same machine, whose pace changes from one second to the next. */
export interface Turns {
  loads: readonly Load[]
  turns: number
  /** Turns before that, which are not counted: what asks and what answers is compiled by then. */
  warmTurns?: number
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  longestMs: number
  failures: number
}

class Asking {
  readonly #load: Load
  readonly #agent: Agent
  readonly #address: URL
  readonly #bodies: readonly string[]
  #timesMs: number[] = []
  #elapsedMs = 0
  #failures = 0
  #sent = 0

  constructor(load: Load) {
    this.#load = load
    this.#agent = new Agent({ keepAlive: true, maxSockets: load.clients })
    this.#address = new URL(load.url)
    this.#bodies = (load.bodies ?? []).map((body) => JSON.stringify(body))
  }

  async turn(): Promise<void> {
    const startMs = performance.now()
    const end = startMs + this.#load.seconds * 1000
    await Promise.all(Array.from({ length: this.#load.clients }, () => this.#askUntil(end)))
    this.#elapsedMs += performance.now() - startMs
  }

  forget(): void {
    this.#timesMs = []
    this.#elapsedMs = 0
  }

  end(): LoadResult {
    this.#agent.destroy()
    return {
      perSecond: (this.#timesMs.length * 1000) / this.#elapsedMs,
      p50Ms: percentile(this.#timesMs, 50),
      p99Ms: percentile(this.#timesMs, 99),
      longestMs: percentile(this.#timesMs, 100),
      failures: this.#failures,
    }
  }

  async #askUntil(end: number): Promise<void> {
    const { expected, everyMs = 0 } = this.#load
    while (performance.now() < end) {
      const started = performance.now()
      const status = await this.#ask(this.#bodies[this.#sent++ % this.#bodies.length])
      this.#timesMs.push(performance.now() - started)
      if (status !== expected) this.#failures += 1
      const restMs = everyMs - (performance.now() - started)
      if (restMs > 0) await setTimeout(restMs)
    }
  }

  #ask(body: string | undefined): Promise<number> {
    const { method, path } = this.#load
    const { hostname, port } = this.#address
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
    return new Promise((resolve, reject) => {
      const sending = request({ agent: this.#agent, hostname, port, method, path, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sending.on('error', reject)
      sending.end(body)
    })
  }
}

const { loads, turns, warmTurns = 0 }: Turns = JSON.parse(process.argv[2] ?? '')
const asked = loads.map((load) => new Asking(load))
for (let turn = 0; turn < warmTurns; turn++) for (const asking of asked) await asking.turn()
for (const asking of asked) asking.forget()
for (let turn = 0; turn < turns; turn++) for (const asking of asked) await asking.turn()
console.log(JSON.stringify(asked.map((asking) => asking.end())))
