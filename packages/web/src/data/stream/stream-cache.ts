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
import { mergeRows } from './merge-rows.ts'
import { SHOWN_TOPICS, type ShownTopic, TOPIC_QUERIES } from './stream-topics.ts'
import { scheduleFrameWrite } from './write-schedulers.ts'

/**
 * Writes the stream to the query cache, which polling writes too. It holds the state of each topic, so that a poll that
 * was answered before a frame arrived cannot overwrite what the frame brought (STREAM-12).
 */
export class StreamCache {
  readonly #client: QueryClient
  readonly #schedule: (write: () => void) => void
  readonly #states = new Map<ShownTopic, { data: unknown; version: number }>()
  /** Not merged yet. */
  readonly #changes = new Map<ShownTopic, ListChange[]>()
  /** Topics whose snapshot did not fit into a frame, with the version at which that was known. */
  readonly #missingSnapshots = new Map<ShownTopic, number>()
  readonly #unwritten = new Set<ShownTopic>()
  readonly #versionAtRequest = new Map<string, number>()
  readonly #unsubscribe: () => void
  #version = 0
  #isPaused = false

  /** `schedule` delays a write, so that many frames become one rendering. */
  constructor(client: QueryClient, schedule: (write: () => void) => void = scheduleFrameWrite) {
    this.#client = client
    this.#schedule = schedule
    // Unchanged rows stay the same objects; comparing ten thousand of them in depth would take longer than a frame.
    for (const topic of SHOWN_TOPICS)
      if (topic in ROW_TOPICS)
        client.setQueryDefaults(TOPIC_QUERIES[topic][0].key, { structuralSharing: false })
    this.#unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated') this.#onUpdate(event.query, event.action)
    })
  }

  close(): void {
    this.#unsubscribe()
  }

  /** What is known of a topic; undefined before its snapshot. */
  stateOf<Topic extends ShownTopic>(topic: Topic): SnapshotData<Topic> | undefined {
    // A topic's state is only ever set from its own snapshots, replies and changes.
    return this.#merged(topic)?.data as SnapshotData<Topic> | undefined
  }

  apply(frame: ServerFrame): void {
    if (frame.type !== 'snapshot' && frame.type !== 'change') return
    const { topic } = frame
    if (!isShown(topic)) return
    const isSnapshot = frame.type === 'snapshot'
    const data = isSnapshot ? parseSnapshot(topic, frame.data) : parseChange(topic, frame.data)
    if (data === undefined || topic === 'fills') this.#reload(topic)
    else if (isSnapshot || !(topic in ROW_TOPICS)) this.#set(topic, data)
    // Each topic of the table changes by rows.
    else this.#addChange(topic, data as ListChange)
  }

  /** For the replay of missed changes, whose parts are states of the past. */
  pauseWrites(): void {
    this.#isPaused = true
  }

  resumeWrites(): void {
    this.#isPaused = false
    this.#writeAll()
  }

  #set(topic: ShownTopic, data: unknown): void {
    this.#changes.delete(topic)
    this.#missingSnapshots.delete(topic)
    this.#states.set(topic, { data, version: this.#nextVersion() })
    this.#scheduleWrite(topic)
  }

  /** Changes are merged once per write: a list may have ten thousand rows. */
  #addChange(topic: ShownTopic, change: ListChange): void {
    const state = this.#states.get(topic)
    // STREAM-30: of a list that is being loaded the changes count from the request on.
    if (state === undefined && !this.#versionAtRequest.has(hashKey(TOPIC_QUERIES[topic][0].key))) return
    const changes = this.#changes.get(topic)
    if (changes === undefined) this.#changes.set(topic, [change])
    else changes.push(change)
    if (state === undefined) return
    state.version = this.#nextVersion()
    this.#scheduleWrite(topic)
  }

  /** The state with the changes that are not merged yet. */
  #merged(topic: ShownTopic): { data: unknown; version: number } | undefined {
    const state = this.#states.get(topic)
    const changes = this.#changes.get(topic)
    const merge = ROW_TOPICS[topic]?.merge
    if (state === undefined || changes === undefined || merge === undefined) return state
    this.#changes.delete(topic)
    state.data = merge(state.data, combineChanges(changes))
    return state
  }

  #nextVersion(): number {
    this.#version += 1
    return this.#version
  }

  #scheduleWrite(topic: ShownTopic): void {
    if (this.#unwritten.size === 0) this.#schedule(() => this.#writeAll())
    this.#unwritten.add(topic)
  }

  #reload(topic: ShownTopic): void {
    this.#states.delete(topic)
    this.#changes.delete(topic)
    this.#missingSnapshots.set(topic, this.#nextVersion())
    for (const { key } of TOPIC_QUERIES[topic]) {
      void this.#client.invalidateQueries({ queryKey: key })
      // What no screen loads again is no longer known, and must not be counted (SHELL-60).
      if (topic in ROW_TOPICS)
        void this.#client.resetQueries({ queryKey: key, exact: true, type: 'inactive' })
    }
  }

  #writeAll(): void {
    if (this.#isPaused) return
    for (const topic of this.#unwritten) this.#write(topic)
    this.#unwritten.clear()
  }

  #write(topic: ShownTopic): void {
    const state = this.#merged(topic)
    if (state === undefined) return
    for (const { key, select } of TOPIC_QUERIES[topic]) {
      if (select === undefined) continue
      // The table's entry for a topic takes that topic's state.
      const value = (select as (data: unknown) => unknown)(state.data)
      // The reply of the call has more about the engine than the frame, such as the counts of SHELL-60.
      this.#client.setQueryData(key, topic === 'engine' ? (known) => Object.assign({}, known, value) : value)
    }
  }

  #onUpdate(query: Query, action: { type: string; manual?: boolean | undefined }): void {
    const topic = TOPIC_OF_HASH.get(query.queryHash)
    if (topic === undefined) return
    if (action.type === 'fetch') {
      this.#versionAtRequest.set(query.queryHash, this.#version)
      if (!this.#states.has(topic)) this.#changes.delete(topic)
    }
    if (action.type === 'error') this.#versionAtRequest.delete(query.queryHash)
    if (action.type !== 'success' || action.manual) return
    const since = this.#versionAtRequest.get(query.queryHash) ?? 0
    this.#versionAtRequest.delete(query.queryHash)
    if (!this.#states.has(topic)) this.#adoptReply(topic, query, since)
    const state = this.#states.get(topic)
    if (state === undefined || state.version <= since) return
    // Written after this update has been passed on.
    queueMicrotask(() => this.#write(topic))
  }

  /** STREAM-30: a list too large for a frame was loaded; the changes since its request follow. */
  #adoptReply(topic: ShownTopic, query: Query, since: number): void {
    const list = ROW_TOPICS[topic]
    const missingSince = this.#missingSnapshots.get(topic)
    if (list === undefined || missingSince === undefined) return
    if (since < missingSince) {
      // It was requested before the changes began, so it may lack some.
      queueMicrotask(() => this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true }))
      return
    }
    this.#missingSnapshots.delete(topic)
    const hasChanges = this.#changes.has(topic)
    this.#states.set(topic, {
      data: list.fromReply(query.state.data),
      version: hasChanges ? this.#nextVersion() : 0,
    })
  }
}

function isShown(topic: StreamTopic): topic is ShownTopic {
  return SHOWN_TOPICS.some((shown) => shown === topic)
}

const TOPIC_OF_HASH: ReadonlyMap<string, ShownTopic> = new Map(
  SHOWN_TOPICS.flatMap((topic) => TOPIC_QUERIES[topic].map(({ key }) => [hashKey(key), topic] as const)),
)

type ListChange = ChangeData<'orders' | 'positions' | 'strategies'>
type Row = ListChange['changed'][number]

interface RowList {
  /** The state of a topic from the reply of its call. */
  fromReply: (reply: unknown) => unknown
  merge: (known: unknown, change: ListChange) => unknown
}

/** Topics that change by rows, and how a change becomes the next state. Other topics are sent whole. */
const ROW_TOPICS: { readonly [Topic in ShownTopic]?: RowList } = {
  strategies: listOf('strategies', 'end'),
  positions: listOf('positions', 'end'),
  orders: { ...listOf('orders', 'start'), fromReply: (reply) => reply },
}

/** The queries of strategies and positions hold the rows themselves. */
function listOf(name: 'orders' | 'positions' | 'strategies', newestAt: 'start' | 'end'): RowList {
  return {
    fromReply: (rows) => ({ [name]: rows }),
    merge: (known, { changed, removed, ...rest }) => {
      // Of the topic with this name.
      const state = known as Record<typeof name, readonly Row[]>
      return { ...state, ...rest, [name]: mergeRows(state[name], { changed, removed }, newestAt) }
    },
  }
}

/** Several changes as one: the last of a row counts. */
function combineChanges(changes: readonly ListChange[]): ListChange {
  const [first, ...others] = changes
  if (first !== undefined && others.length === 0) return first
  const changed = new Map<Id, Row>()
  const removed = new Set<Id>()
  for (const change of changes) {
    for (const row of change.changed) {
      removed.delete(row.id)
      changed.set(row.id, row)
    }
    for (const id of change.removed) {
      changed.delete(id)
      removed.add(id)
    }
  }
  // The rows are of one topic.
  return Object.assign({}, ...changes, { changed: [...changed.values()], removed: [...removed] })
}
