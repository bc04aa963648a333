import { createRedisDriver } from '../packages/stores/src/redis/driver.ts'
import { READS_AT_BOUND } from '../packages/stores/src/testkit/drivers/redis-commands.ts'
import { fillRedis } from '../packages/stores/src/testkit/drivers/redis-sizes.ts'
import { conclude, type Limit, rounded } from './figures.ts'
import { startBenchRedis } from './stores.ts'

/**
 * Redis does one thing at a time, and what it has begun cannot be stopped: how long the longest command is that the
 * query box, the pages and the exports send, by the server's own slow log, beside what the same keys would cost unasked.
 */

const MEMBERS = 2_000_000
const KEYS = 1_000_000
/** STORE-6: a second after a cancel nothing runs any more. The slow log counts the waits for a processor as well. */
const LONGEST_MS = 1_000
const CAPS = { rows: 10_000, bytes: 16 * 1024 * 1024 }
/** What a client without bounds could ask. */
const UNBOUNDED = ['SCAN 0 COUNT 3000000', 'SMEMBERS big:set', 'HGETALL big:hash', 'KEYS *']

const TARGET = {
  id: '1',
  name: 'Cache',
  kind: 'redis',
  databaseName: '0',
  writable: false,
  timeLimitMs: 600_000,
} as const

type Redis = Awaited<ReturnType<typeof fillRedis>>

const atEnd: (() => void | Promise<void>)[] = []
const server = await startBenchRedis('--enable-debug-command', 'local', '--slowlog-log-slower-than', '500')
if (server !== undefined) await measure(server.url)
for (const end of atEnd.toReversed()) await end()
await server?.end()

async function measure(url: string): Promise<void> {
  const sizes = { half: 5_000, small: 10_000, seen: 100_000, big: MEMBERS }
  const redis = await fillRedis({ url }, sizes, (end) => void atEnd.push(end))
  await redis.call('DEBUG', 'POPULATE', KEYS, 'key', 10)
  await redis.config('SET', 'slowlog-max-len', '100000')
  const driver = createRedisDriver({ ...TARGET, connectionString: url })
  const never = new AbortController().signal
  const table: Record<string, number> = {}
  for (const command of READS_AT_BOUND) {
    table[command] = await longestOf(redis, () => driver.run(command, CAPS, never))
  }
  const filter = { column: 'key', operator: 'contains', value: 'nowhere' } as const
  const page = { table: 'db0', limit: 50, offset: 0 }
  table['a page of keys'] = await longestOf(redis, () => driver.page(page, never))
  table['a filter that finds nothing'] = await longestOf(redis, () => driver.page({ ...page, filter }, never))
  for (const type of ['list', 'set', 'hash', 'zset', 'stream']) {
    const source = { table: 'db0', filter: { column: 'type', operator: 'eq', value: type } } as const
    table[`an export of every ${type}`] = await longestOf(redis, async () => {
      for await (const _ of (await driver.stream(source, never)).batches);
    })
  }
  await driver.close()
  for (const command of UNBOUNDED) {
    const [name = '', ...args] = command.split(' ')
    table[`unbounded: ${command}`] = await longestOf(redis, () => redis.call(name, ...args))
  }
  printTable(table)
}

function printTable(table: Record<string, number>): void {
  const slowest = Object.entries(table).toSorted(([, one], [, other]) => other - one)
  console.table(
    Object.fromEntries(slowest.slice(0, 15).map(([what, ms]) => [what, { 'longest ms': rounded(ms) }])),
  )
  const [[what, longestMs] = ['', 0]] = slowest.filter(([name]) => !name.startsWith('unbounded'))
  const unboundedMs = Math.max(...UNBOUNDED.map((command) => table[`unbounded: ${command}`] ?? 0))
  const limits: Limit[] = [
    {
      what: `the longest that is run (${what}), ms`,
      figure: longestMs,
      limit: LONGEST_MS,
      must: 'not exceed',
    },
    {
      what: 'against the longest without bounds',
      figure: longestMs / unboundedMs,
      limit: 0.2,
      must: 'not exceed',
    },
  ]
  conclude(limits)
}

/** The server's own time for the longest single command of a piece of work, in ms; 0 when all are below half of one. */
async function longestOf(redis: Redis, work: () => Promise<unknown>): Promise<number> {
  await redis.call('SLOWLOG', 'RESET')
  await work().catch((failure: Error) => {
    if (!/^unknown command|no such key/i.test(failure.message)) throw failure
  })
  const entries = await redis.call('SLOWLOG', 'GET', '-1')
  const took = Array.isArray(entries) ? entries.map(([, , microseconds]) => Number(microseconds)) : []
  return Math.max(0, ...took) / 1000
}
