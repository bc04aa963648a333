import { afterEach, expect, test, vi } from 'vitest'
import { aFakeStream } from '#testkit/fake-stream.ts'
import { openSharedStream } from './stream-tabs.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A tab that has the connection; `others` is how many tabs wait for it. */
function aLeader() {
  const stream = aFakeStream()
  const posted: { kind: string }[] = []
  const tabs = { others: 0 }
  let lock = ''
  let channel: { onmessage?: (event: { data: unknown }) => void } = {}
  vi.stubGlobal('BroadcastChannel', function Channel(this: typeof channel) {
    channel = Object.assign(this, {
      postMessage: (message: { kind: string }) => posted.push(message),
      close() {},
    })
  })
  vi.stubGlobal('navigator', {
    locks: {
      request: (name: string, _: unknown, lead: () => Promise<void>) => {
        lock = name
        return lead()
      },
      query: async () => ({ pending: Array.from({ length: tabs.others }, () => ({ name: lock })) }),
    },
  })
  const open = stream.open
  vi.stubGlobal(
    'WebSocket',
    Object.assign(
      function Socket(url: string) {
        return open(url)
      },
      { OPEN: 1 },
    ),
  )
  openSharedStream({ url: 'ws://server', topics: ['orders'], onFrame: () => {}, onState: () => {} })
  return {
    stream,
    tabs,
    join: () => channel.onmessage?.({ data: { kind: 'join' } }),
    beat: async () => {
      stream.last().frame({ type: 'heartbeat', seq: 1, at: '' })
      // The answer about the locks.
      await Promise.resolve()
      await Promise.resolve()
    },
    /** Whether a change is passed on. */
    passesOn: () => {
      posted.length = 0
      stream.last().frame({ type: 'change', seq: 1, topic: 'orders', data: {} })
      return posted.some(({ kind }) => kind === 'frame')
    },
  }
}

test('[STREAM-264] frames are passed on until it is known that no other tab waits', async () => {
  const { stream, beat, passesOn } = aLeader()
  stream.last().hello({})
  expect(passesOn()).toBe(true)
  await beat()
  expect(passesOn()).toBe(false)
})

test('[STREAM-264] a tab that joins gets all frames from then on, also before its lock is seen, until it has left', async () => {
  const { stream, tabs, join, beat, passesOn } = aLeader()
  stream.last().hello({})
  await beat()
  join()
  expect(passesOn()).toBe(true)
  await beat()
  expect(passesOn()).toBe(true)
  tabs.others = 1
  await beat()
  expect(passesOn()).toBe(true)
  tabs.others = 0
  await beat()
  expect(passesOn()).toBe(false)
})

test('[STREAM-264] a tab that joins while the locks are read gets all frames', async () => {
  const { stream, join, beat, passesOn } = aLeader()
  stream.last().hello({})
  const read = beat()
  join()
  await read
  expect(passesOn()).toBe(true)
})
