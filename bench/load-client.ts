import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { percentile } from './figures.ts'

/** Asks a server as fast as a number of clients can, for a time, and prints what came of it as one line of JSON. */

export interface Load {
  url: string
  method: 'GET' | 'POST'
  path: string
  /** Each client takes the next of these in turn. */
  bodies?: readonly object[]
  expected: number
  clients: number
  seconds: number
  /** A client asks at most this often; without it as fast as it can. */
  everyMs?: number
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  longestMs: number
  failures: number
}

const load: Load = JSON.parse(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true, maxSockets: load.clients })
const { hostname, port } = new URL(load.url)
const bodies = (load.bodies ?? []).map((body) => JSON.stringify(body))
const timesMs: number[] = []
let failures = 0
let sent = 0

const begun = performance.now()
const end = begun + load.seconds * 1000
await Promise.all(Array.from({ length: load.clients }, askUntilEnd))
const elapsedS = (performance.now() - begun) / 1000
agent.destroy()
const result: LoadResult = {
  perSecond: timesMs.length / elapsedS,
  p50Ms: percentile(timesMs, 50),
  p99Ms: percentile(timesMs, 99),
  longestMs: percentile(timesMs, 100),
  failures,
}
console.log(JSON.stringify(result))

async function askUntilEnd(): Promise<void> {
  while (performance.now() < end) {
    const started = performance.now()
    const status = await ask(bodies[sent++ % bodies.length])
    timesMs.push(performance.now() - started)
    if (status !== load.expected) failures += 1
    const restMs = (load.everyMs ?? 0) - (performance.now() - started)
    if (restMs > 0) await setTimeout(restMs)
  }
}

function ask(body: string | undefined): Promise<number> {
  const headers =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const sending = request(
      { agent, hostname, port, method: load.method, path: load.path, headers },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
