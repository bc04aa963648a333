import {
  type ChangeData,
  type Id,
  parseChange,
  parseSnapshot,
  type ServerFrame,
  type SnapshotData,
  type StreamTopic,
} from '@binnacle/contract'
import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'
import { isAtRest } from '#data/engine.ts'
import { paintSoon } from './paint-soon.ts'
import { SHOWN_TOPICS, type ShownTopic, TOPIC_KEYS } from './stream-topics.ts'

/** The values of a topic's queries, in the order of their keys. */
const VALUES: { readonly [Topic in ShownTopic]: (data: SnapshotData<Topic>) => readonly unknown[] } = {
  engine: (info) => [info, info],
  components: ({ components }) => [components, components.filter(isAtRest)],
  strategies: ({ strategies }) => [strategies],
  orders: (list) => [list],
  fills: () => [],
  positions: ({ positions }) => [positions],
  account: (account) => [account],
  risk: ({ metrics, limits }) => [metrics, { metrics, limits }],
  'trading-state': (state) => [state],
  alerts: (summary) => [summary],
}

/**
 * Writes the stream to the query cache, which polling writes too. It holds the state of each topic, so that a poll that
 * was answered before a frame arrived cannot take the frame's news back (STREAM-12).
 */
export class StreamCache {
  readonly #client: QueryClient
  readonly #schedule: (write: () => void) => void
  readonly #states = new Map<ShownTopic, { data: unknown; at: number }>()
  readonly #unwritten = new Set<ShownTopic>()
  readonly #loadsSince = new Map<string, number>()
  readonly #unsubscribe: () => void
  #clock = 0
  #isHeld = false

  /** `schedule` delays a write, so that many frames become one painting. */
  constructor(client: QueryClient, schedule: (write: () => void) => void = paintSoon) {
    this.#client = client
    this.#schedule = schedule
    this.#unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated') this.#onUpdate(event.query, event.action)
    })
  }

  close(): void {
    this.#unsubscribe()
  }

  /** What is known of a topic; undefined before its snapshot. */
  stateOf<Topic extends ShownTopic>(topic: Topic): SnapshotData<Topic> | undefined {
    // A topic's state is only ever set from its own snapshots and changes.
    return this.#states.get(topic)?.data as SnapshotData<Topic> | undefined
  }

  apply(frame: ServerFrame): void {
    if (frame.type !== 'snapshot' && frame.type !== 'change') return
    const { topic } = frame
    if (!isShown(topic)) return
    const data =
      frame.type === 'snapshot' ? parseSnapshot(topic, frame.data) : this.#changed(topic, frame.data)
    if (data === undefined || topic === 'fills') {
      this.#reload(topic)
      return
    }
    this.#clock += 1
    this.#states.set(topic, { data, at: this.#clock })
    if (this.#unwritten.size === 0) this.#schedule(() => this.#writeAll())
    this.#unwritten.add(topic)
  }

  /** Holds writes back while missed changes are replayed: their parts are states of the past. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#writeAll()
  }

  #changed(topic: ShownTopic, data: unknown): unknown {
    const known = this.#states.get(topic)?.data
    const change = parseChange(topic, data)
    if (change === undefined || (known === undefined && topic in MERGES)) return undefined
    // The table's entry for a topic takes that topic's data.
    const merge = MERGES[topic] as ((known: unknown, change: unknown) => unknown) | undefined
    return merge === undefined ? change : merge(known, change)
  }

  #reload(topic: ShownTopic): void {
    this.#states.delete(topic)
    for (const key of TOPIC_KEYS[topic]) {
      void this.#client.invalidateQueries({ queryKey: key })
      // What no screen loads again is no longer known, and must not be counted (SHELL-60).
      if (topic in MERGES) void this.#client.resetQueries({ queryKey: key, exact: true, type: 'inactive' })
    }
  }

  #writeAll(): void {
    if (this.#isHeld) return
    for (const topic of this.#unwritten) this.#write(topic)
    this.#unwritten.clear()
  }

  #write(topic: ShownTopic): void {
    const state = this.#states.get(topic)
    if (state === undefined) return
    // The table's entry for a topic takes that topic's data.
    const values = (VALUES[topic] as (data: unknown) => readonly unknown[])(state.data)
    TOPIC_KEYS[topic].forEach((key, index) => {
      if (index >= values.length) return
      // The reply of the call has more about the engine than the frame, such as the counts of SHELL-60.
      const value = values[index]
      this.#client.setQueryData(key, topic === 'engine' ? (known) => Object.assign({}, known, value) : value)
    })
  }

  #onUpdate(query: Query, action: { type: string; manual?: boolean | undefined }): void {
    if (action.type === 'fetch') this.#loadsSince.set(query.queryHash, this.#clock)
    if (action.type !== 'success' || action.manual) return
    const since = this.#loadsSince.get(query.queryHash) ?? 0
    this.#loadsSince.delete(query.queryHash)
    const topic = TOPIC_OF_HASH.get(query.queryHash)
    const state = topic && this.#states.get(topic)
    if (topic === undefined || state === undefined || state.at <= since) return
    // Written after this update has been passed on.
    queueMicrotask(() => this.#write(topic))
  }
}

function isShown(topic: StreamTopic): topic is ShownTopic {
  return SHOWN_TOPICS.some((shown) => shown === topic)
}

const TOPIC_OF_HASH: ReadonlyMap<string, ShownTopic> = new Map(
  SHOWN_TOPICS.flatMap((topic) => TOPIC_KEYS[topic].map((key) => [hashKey(key), topic] as const)),
)

/** How a change of rows becomes the next state. Other topics are sent whole. */
const MERGES: {
  readonly [Topic in ShownTopic]?: (known: SnapshotData<Topic>, change: ChangeData<Topic>) => unknown
} = {
  strategies: ({ strategies }, change) => ({ strategies: mergeRows(strategies, change, 'end') }),
  positions: ({ positions }, change) => ({ positions: mergeRows(positions, change, 'end') }),
  orders: (known, { next_cursor = known.next_cursor, ...rows }) => ({
    orders: mergeRows(known.orders, rows, 'start'),
    next_cursor,
  }),
}

/** Replaces rows in place; new ones are added where the list has its newest. */
function mergeRows<Row extends { id: Id }>(
  rows: readonly Row[],
  { changed, removed }: { changed: readonly Row[]; removed: readonly Id[] },
  newestAt: 'start' | 'end',
): Row[] {
  const gone = new Set(removed)
  const byId = new Map(changed.map((row) => [row.id, row]))
  const replaced = rows.flatMap((row) => (gone.has(row.id) ? [] : [byId.get(row.id) ?? row]))
  const known = new Set(rows.map(({ id }) => id))
  const added = changed.filter(({ id }) => !known.has(id) && !gone.has(id))
  return newestAt === 'start' ? [...added.reverse(), ...replaced] : [...replaced, ...added]
}
