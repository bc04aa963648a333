import type { ServerFrame, StreamTopic } from '@binnacle/contract'
import { StreamSocket, type StreamState } from './stream-socket.ts'
import { mergeSubscriptions, type TabSubscription, tabSubscription } from './tab-subscription.ts'

export interface SharedStreamOptions {
  url: string
  topics: readonly StreamTopic[]
  onFrame: (frame: ServerFrame) => void
  onState: (state: StreamState) => void
}

type TabMessage =
  | { kind: 'join' }
  | { kind: 'frame'; frame: ServerFrame }
  | { kind: 'state'; state: StreamState }
  /** The market data that a tab shows; its end when undefined. */
  | { kind: 'subscription'; tab: string; subscription: TabSubscription | undefined }
  /** A new leader asks all tabs for theirs. */
  | { kind: 'request-subscriptions' }

/**
 * One connection per browser: the tab that holds the lock has the socket and passes its frames on. When that tab goes,
 * the next one gets the lock and resumes. A browser without locks has a connection per tab (STREAM-14).
 */
export function openSharedStream(options: SharedStreamOptions): () => void {
  const { locks } = navigator
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return openOwnStream(options)
  const { url, onFrame, onState } = options
  // Tabs of another server must not mix with these.
  const name = `binnacle-stream ${url}`
  const channel = new BroadcastChannel(name)
  const post = (message: TabMessage) => channel.postMessage(message)
  const stopping = new AbortController()
  let isLeader = false
  let last: StreamState = { kind: 'connecting' }
  /** Until it is known that no other tab waits for the lock, frames are passed on. */
  let hasFollowers = true
  let isJoinRecent = false

  /** STREAM-264. A tab that has just joined may not be seen to wait for the lock yet. */
  const checkFollowers = async () => {
    if (isJoinRecent) {
      isJoinRecent = false
      return
    }
    const { pending = [] } = await locks.query()
    if (!isJoinRecent) hasFollowers = pending.some((lock) => lock.name === name)
  }

  const socket = new StreamSocket({
    ...options,
    onFrame(frame) {
      onFrame(frame)
      if (hasFollowers) post({ kind: 'frame', frame })
      if (frame.type === 'heartbeat') checkFollowers().catch(() => {})
    },
    onState(state) {
      last = state
      onState(state)
      post({ kind: 'state', state })
    },
  })

  const tab = crypto.randomUUID()
  const subscriptions = new Map<string, TabSubscription>()
  const setTabSubscription = (of: string, subscription: TabSubscription | undefined) => {
    if (subscription === undefined) subscriptions.delete(of)
    else subscriptions.set(of, subscription)
    socket.setSubscription(mergeSubscriptions(subscriptions.values()))
  }
  const publishSubscription = (subscription = tabSubscription.get()) => {
    if (isLeader) setTabSubscription(tab, subscription)
    else post({ kind: 'subscription', tab, subscription })
  }
  const unsubscribe = tabSubscription.subscribe(() => publishSubscription())

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'request-subscriptions') publishSubscription()
    else if (data.kind === 'subscription' && isLeader) setTabSubscription(data.tab, data.subscription)
    else if (data.kind === 'join') {
      if (!isLeader) return
      hasFollowers = true
      isJoinRecent = true
      post({ kind: 'state', state: last })
      socket.reload()
    } else if (!isLeader && data.kind === 'frame') {
      socket.remember(data.frame)
      onFrame(data.frame)
    } else if (!isLeader && data.kind === 'state') onState(data.state)
  }

  const lead = () =>
    new Promise<void>((resolve) => {
      isLeader = true
      socket.start()
      publishSubscription()
      post({ kind: 'request-subscriptions' })
      stopping.signal.addEventListener('abort', () => resolve())
    })
  // The request is aborted when this tab stops waiting.
  locks.request(name, { signal: stopping.signal }, lead).catch(() => {})
  post({ kind: 'join' })
  if (tabSubscription.get() !== undefined) publishSubscription()
  // A closed tab shows nothing.
  const leave = () => post({ kind: 'subscription', tab, subscription: undefined })
  window.addEventListener('pagehide', leave)

  return () => {
    unsubscribe()
    window.removeEventListener('pagehide', leave)
    leave()
    stopping.abort()
    socket.stop()
    channel.close()
  }
}

function openOwnStream(options: SharedStreamOptions): () => void {
  const socket = new StreamSocket(options)
  const publish = () => socket.setSubscription(tabSubscription.get())
  const unsubscribe = tabSubscription.subscribe(publish)
  publish()
  socket.start()
  return () => {
    unsubscribe()
    socket.stop()
  }
}
