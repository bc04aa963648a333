import { type BarColumns, createColumns } from '@binnacle/engine'
import type { Redis } from 'ioredis'
import { type LoadedBars, shareColumns } from '#trading/backtests/shared-bars.ts'
import { COLUMNS } from '#trading/catalog/columns.ts'
import { KEY_PREFIX } from './remote-task.ts'

/** BT-48: bars in Redis as blocks of their columns, named by the fingerprint of the whole. */

const BLOCK_BYTES = 4 << 20
const TTL_S = 3_600
/** Of one server; those unused for the longest time are removed first. */
const MAX_PUBLISHED_BYTES = 1 << 30

interface Head {
  columns: Pick<BarColumns, 'instrument' | 'interval' | 'length'>[]
}

/** The bars that a server has put into Redis. */
export class PublishedBars {
  readonly #redis: Redis
  /** Bytes by fingerprint, the one unused for the longest time first. */
  readonly #bytes = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Runs over the same bars wait for one another. */
  publish(loaded: LoadedBars): Promise<void> {
    const { fingerprint } = loaded
    const running = this.#underWay.get(fingerprint)
    if (running !== undefined) return running
    const work = this.#publish(loaded).finally(() => this.#underWay.delete(fingerprint))
    this.#underWay.set(fingerprint, work)
    return work
  }

  async #publish({ bars, fingerprint }: LoadedBars): Promise<void> {
    const blocks = [...blocksOf(bars)]
    const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0)
    this.#bytes.delete(fingerprint)
    if (!(await this.#extend(fingerprint, blocks.length))) {
      await this.#evict(bytes)
      for (const [nth, block] of blocks.entries())
        await this.#redis.set(keyOf(fingerprint, nth), Buffer.from(block), 'EX', TTL_S)
      const columns = bars.map(({ instrument, interval, length }) => ({ instrument, interval, length }))
      await this.#redis.set(keyOf(fingerprint, 'head'), JSON.stringify({ columns }), 'EX', TTL_S)
    }
    this.#bytes.set(fingerprint, bytes)
  }

  /** False when a part is missing. */
  async #extend(fingerprint: string, blocks: number): Promise<boolean> {
    const batch = this.#redis.pipeline().expire(keyOf(fingerprint, 'head'), TTL_S)
    for (let nth = 0; nth < blocks; nth++) batch.expire(keyOf(fingerprint, nth), TTL_S)
    const replies = (await batch.exec()) ?? []
    return replies.every(([, isThere]) => isThere === 1)
  }

  async #evict(bytes: number): Promise<void> {
    let sum = bytes
    for (const each of this.#bytes.values()) sum += each
    for (const [fingerprint, each] of this.#bytes) {
      if (sum <= MAX_PUBLISHED_BYTES) return
      sum -= each
      this.#bytes.delete(fingerprint)
      const names = Array.from({ length: Math.ceil(each / BLOCK_BYTES) + 1 }, (_, nth) =>
        keyOf(fingerprint, nth),
      )
      await this.#redis.del(keyOf(fingerprint, 'head'), ...names)
    }
  }
}

/** Null when a part is missing, or when the bars are others than the fingerprint says. */
export async function fetchBars(redis: Redis, fingerprint: string): Promise<LoadedBars | null> {
  const head = await redis.get(keyOf(fingerprint, 'head'))
  if (head === null) return null
  // The fingerprint covers all of it.
  const { columns } = JSON.parse(head) as Head
  const bars = columns.map(({ instrument, interval, length }) => createColumns(instrument, interval, length))
  let nth = 0
  for (const block of blocksOf(bars)) {
    const bytes = await redis.getBuffer(keyOf(fingerprint, nth))
    if (bytes?.byteLength !== block.byteLength) return null
    block.set(bytes)
    nth += 1
  }
  const [, dataSet] = /^(.*):[0-9a-f]{64}$/.exec(fingerprint) ?? []
  const loaded = shareColumns(bars, dataSet)
  return loaded.fingerprint === fingerprint ? loaded : null
}

/** Views of the columns, one after the other. */
function* blocksOf(bars: readonly BarColumns[]): Generator<Uint8Array> {
  for (const columns of bars)
    for (const name of COLUMNS) {
      const { buffer, byteOffset, byteLength } = columns[name]
      for (let at = 0; at < byteLength; at += BLOCK_BYTES)
        yield new Uint8Array(buffer, byteOffset + at, Math.min(BLOCK_BYTES, byteLength - at))
    }
}

function keyOf(fingerprint: string, part: number | 'head'): string {
  return `${KEY_PREFIX}:bars:${fingerprint}:${part}`
}
