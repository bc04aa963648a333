import { setTimeout } from 'node:timers/promises'
import { percentile } from './figures.ts'
import { HttpConnection, requestText } from './http-connection.ts'

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
const url = new URL(load.url)
const bodies = load.bodies?.map((body) => JSON.stringify(body)) ?? [undefined]
const requests = bodies.map((body) => requestText(url, load.method, load.path, body))
const timesMs: number[] = []
let failures = 0
let sent = 0

const clients = await Promise.all(Array.from({ length: load.clients }, () => HttpConnection.open(url)))
const begun = performance.now()
const end = begun + load.seconds * 1000
await Promise.all(clients.map(askUntilEnd))
const elapsedS = (performance.now() - begun) / 1000
for (const client of clients) client.close()
const result: LoadResult = {
  perSecond: timesMs.length / elapsedS,
  p50Ms: percentile(timesMs, 50),
  p99Ms: percentile(timesMs, 99),
  longestMs: percentile(timesMs, 100),
  failures,
}
console.log(JSON.stringify(result))

async function askUntilEnd(client: HttpConnection): Promise<void> {
  while (performance.now() < end) {
    const started = performance.now()
    const status = await client.ask(requests[sent++ % requests.length] ?? '')
    timesMs.push(performance.now() - started)
    if (status !== load.expected) failures += 1
    const restMs = (load.everyMs ?? 0) - (performance.now() - started)
    if (restMs > 0) await setTimeout(restMs)
  }
}
