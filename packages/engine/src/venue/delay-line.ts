import type { Instant } from '#values/instant.ts'

/** Things on their way: they arrive in the order in which they left, each after its delay. */
export interface DelayLine<Item> {
  /** Sends an item off; without a delay, and with nothing ahead of it, it arrives at once. */
  put(item: Item, at: Instant): void
  /** Lets arrive what is due. */
  release(at: Instant): void
  isEmpty(): boolean
}

/** Makes a line; each delay is drawn when the item is sent. */
export function createDelayLine<Item>(
  delayMs: () => number,
  arrive: (item: Item, at: Instant) => void,
): DelayLine<Item> {
  let travelling: { item: Item; due: number }[] = []
  let lastDue = 0

  return {
    isEmpty: () => travelling.length === 0,
    put(item, at) {
      const due = Math.max(lastDue, at + delayMs())
      if (due <= at && travelling.length === 0) {
        arrive(item, at)
        return
      }
      lastDue = due
      travelling.push({ item, due })
    },
    release(at) {
      if (travelling.length === 0) return
      const due = travelling.filter((one) => one.due <= at)
      travelling = travelling.filter((one) => one.due > at)
      for (const { item } of due) arrive(item, at)
    },
  }
}
