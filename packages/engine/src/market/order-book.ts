import { oppositeOf, type Side } from '#model/tick.ts'
import type { OrderId } from '#values/ids.ts'
import type { Price } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import { type DepthLevel, depthSizeAt, type TopOfBook } from './depth.ts'

/** Orders of other participants have no id: together they are the depth. */
type Owner = OrderId | null

interface Resting {
  readonly owner: Owner
  lots: number
}

interface Level {
  readonly price: Price
  /** First come, first served. */
  readonly queue: Resting[]
  /** The lots of the queue that are depth: thousands of orders of ours may wait at one price. */
  depth: number
}

/** One match against a resting order. */
export interface Match {
  readonly owner: Owner
  readonly price: Price
  readonly quantity: Quantity
}

/** An order that matches at once, or the depth that meets our orders. */
export interface Taker {
  readonly side: Side
  readonly quantity: number
  /** The worst price accepted; null accepts any. */
  readonly limit: Price | null
  /** Our own orders never trade with one another; the depth trades with all. */
  readonly skipsOwn: boolean
}

/** A book with price-time priority that holds the depth and our orders in the same queues. */
export interface OrderBook {
  /** Adds an order at the end of the queue of its price. */
  add(owner: OrderId, side: Side, at: Price, lots: Quantity): void
  /** Removes our order from its side, with the depth at its price if that is not kept and no other order of ours waits there. */
  remove(owner: OrderId, side: Side, isDepthKept: boolean): void
  /** Reduces our order; it keeps its queue position. */
  reduce(owner: OrderId, lots: Quantity): void
  /** Matches against the other side, best price first, oldest first. */
  take(taker: Taker): Match[]
  /** Returns the matches that `take` would make, without matching. */
  peek(taker: Taker): Match[]
  /** Replaces the depth of one side; what is behind our order leaves before what is ahead of it. */
  setDepth(side: Side, levels: readonly DepthLevel[]): void
  /** Replaces the depth at one price. */
  setDepthAt(side: Side, at: Price, lots: number): void
  /** Replaces the depth by that of a quote at every price of the book, once for all orders of ours that rest there. */
  resizeDepths(top: TopOfBook): void
  /** Removes the depth at prices where no order of ours rests. */
  dropDepth(): void
  /** Returns the queues' totals, best first. */
  levels(side: Side): DepthLevel[]
}

/** Creates an empty book. */
export function createOrderBook(): OrderBook {
  return new QueuedBook()
}

class QueuedBook implements OrderBook {
  /** Best price first; every queue has an entry. */
  readonly #bids: Level[] = []
  readonly #asks: Level[] = []

  add(owner: OrderId, side: Side, at: Price, lots: Quantity): void {
    this.#enter(side, at, { owner, lots })
  }

  remove(owner: OrderId, side: Side, isDepthKept: boolean): void {
    removeFrom(this.#levelsOf(side), owner, isDepthKept)
  }

  reduce(owner: OrderId, lots: Quantity): void {
    const resting = findIn(this.#bids, owner) ?? findIn(this.#asks, owner)
    if (resting !== null) resting.lots = lots
  }

  take(taker: Taker): Match[] {
    const levels = this.#levelsOf(oppositeOf(taker.side))
    const matches = matchAll(levels, taker)
    removeEmptyLevels(levels)
    return matches
  }

  peek(taker: Taker): Match[] {
    return matchAll(this.#levelsOf(oppositeOf(taker.side)).map(copyLevel), taker)
  }

  setDepth(side: Side, wanted: readonly DepthLevel[]): void {
    const levels = this.#levelsOf(side)
    for (const level of levels) {
      if (!wanted.some(({ price }) => price === level.price)) resizeDepth(level, 0)
    }
    removeEmptyLevels(levels)
    for (const { price, size } of wanted) this.setDepthAt(side, price, size)
  }

  setDepthAt(side: Side, at: Price, lots: number): void {
    const levels = this.#levelsOf(side)
    const level = levels[indexOfPrice(levels, side, at)]
    if (level?.price !== at) {
      if (lots > 0) this.#enter(side, at, { owner: null, lots })
      return
    }
    resizeDepth(level, lots)
    if (level.queue.length === 0) removeEmptyLevels(levels)
  }

  resizeDepths(top: TopOfBook): void {
    resizeLevels(this.#bids, 'BUY', top)
    resizeLevels(this.#asks, 'SELL', top)
  }

  dropDepth(): void {
    removeDepthLevels(this.#bids)
    removeDepthLevels(this.#asks)
  }

  levels(side: Side): DepthLevel[] {
    return this.#levelsOf(side).map((level) => ({
      price: level.price,
      size: quantityFromLots(level.queue.reduce((sum, resting) => sum + resting.lots, 0)),
    }))
  }

  #levelsOf(side: Side): Level[] {
    return side === 'BUY' ? this.#bids : this.#asks
  }

  /** Adds to the end of the queue of a price. */
  #enter(side: Side, at: Price, resting: Resting): void {
    const levels = this.#levelsOf(side)
    const index = indexOfPrice(levels, side, at)
    const found = levels[index]
    const depth = resting.owner === null ? resting.lots : 0
    if (found?.price !== at) {
      insertAt(levels, index, { price: at, queue: [resting], depth })
      return
    }
    found.queue.push(resting)
    found.depth += depth
  }
}

/** Returns the index of the level of a price, or of the first worse one. */
function indexOfPrice(levels: readonly Level[], side: Side, at: Price): number {
  let index = 0
  if (side === 'BUY') while ((levels[index]?.price ?? 0) > at) index++
  else while ((levels[index]?.price ?? Number.POSITIVE_INFINITY) < at) index++
  return index
}

function findIn(levels: readonly Level[], owner: OrderId): Resting | null {
  for (const { queue } of levels) for (const resting of queue) if (resting.owner === owner) return resting
  return null
}

function removeFrom(levels: Level[], owner: OrderId, isDepthKept: boolean): void {
  for (let index = 0; index < levels.length; index++) {
    const queue = levels[index]?.queue ?? []
    for (let nth = 0; nth < queue.length; nth++) {
      if (queue[nth]?.owner !== owner) continue
      removeAt(queue, nth)
      if (queue.length === 0 || (!isDepthKept && queue.every(isDepth))) removeAt(levels, index)
      return
    }
  }
}

/** For so few items, shifting is faster than splice. */
function insertAt<Item>(items: Item[], index: number, item: Item): void {
  items.push(item)
  for (let next = items.length - 1; next > index; next--) {
    // There is an item at every index.
    items[next] = items[next - 1] as Item
  }
  items[index] = item
}

function removeAt<Item>(items: Item[], index: number): void {
  for (let next = index + 1; next < items.length; next++) {
    // There is an item at every index.
    items[next - 1] = items[next] as Item
  }
  items.pop()
}

/** Removes the levels whose queue is empty. */
function removeEmptyLevels(levels: Level[]): void {
  for (let index = levels.length - 1; index >= 0; index--) {
    if (levels[index]?.queue.length === 0) levels.splice(index, 1)
  }
}

function removeDepthLevels(levels: Level[]): void {
  for (let index = levels.length - 1; index >= 0; index--) {
    if (levels[index]?.queue.every(isDepth)) levels.splice(index, 1)
  }
}

function isDepth({ owner }: Resting): boolean {
  return owner === null
}

function copyLevel(level: Level): Level {
  return { price: level.price, queue: level.queue.map((resting) => ({ ...resting })), depth: level.depth }
}

/** Takes from level after level until the quantity is used up or the limit is reached. */
function matchAll(levels: readonly Level[], { side, quantity: lots, limit, skipsOwn }: Taker): Match[] {
  const matches: Match[] = []
  let left = lots
  for (const level of levels) {
    if (left === 0 || (limit !== null && isWorse(side, level.price, limit))) break
    for (const resting of level.queue) {
      if (left === 0) break
      if (skipsOwn && resting.owner !== null) continue
      const taken = Math.min(left, resting.lots)
      resting.lots -= taken
      if (resting.owner === null) level.depth -= taken
      left -= taken
      matches.push({ owner: resting.owner, price: level.price, quantity: quantityFromLots(taken) })
    }
    dropEmpty(level)
  }
  return matches
}

/** Returns whether a price is worse than the limit of a taker on this side. */
function isWorse(side: Side, at: Price, limit: Price): boolean {
  return side === 'BUY' ? at > limit : at < limit
}

function dropEmpty({ queue }: Level): void {
  for (let nth = queue.length - 1; nth >= 0; nth--) if (queue[nth]?.lots === 0) queue.splice(nth, 1)
}

function resizeLevels(levels: Level[], side: Side, top: TopOfBook): void {
  let hasEmpty = false
  for (const level of levels) {
    resizeDepth(level, depthSizeAt(top, side, level.price))
    if (level.queue.length === 0) hasEmpty = true
  }
  if (hasEmpty) removeEmptyLevels(levels)
}

function resizeDepth(level: Level, target: number): void {
  const { queue, depth } = level
  level.depth = target
  if (depth < target) {
    const last = queue.at(-1)
    if (last?.owner === null) last.lots += target - depth
    else queue.push({ owner: null, lots: target - depth })
    return
  }
  let surplus = depth - target
  for (let nth = queue.length - 1; nth >= 0 && surplus > 0; nth--) {
    const resting = queue[nth]
    if (resting === undefined || resting.owner !== null) continue
    const leaving = Math.min(surplus, resting.lots)
    resting.lots -= leaving
    surplus -= leaving
    if (resting.lots === 0) queue.splice(nth, 1)
  }
}
