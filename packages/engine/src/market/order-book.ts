import { oppositeOf, type Side } from '#model/tick.ts'
import type { OrderId } from '#values/ids.ts'
import type { Price } from '#values/price.ts'
import { type Quantity, quantity } from '#values/quantity.ts'
import type { DepthLevel } from './depth.ts'

/** Orders of others have no id: together they are the crowd. */
type Owner = OrderId | null

interface Resting {
  readonly owner: Owner
  lots: number
}

interface Level {
  readonly price: Price
  /** First come, first served. */
  readonly queue: Resting[]
}

/** One match against a resting order. */
export interface Match {
  readonly owner: Owner
  readonly price: Price
  readonly quantity: Quantity
}

export interface Taking {
  readonly side: Side
  readonly quantity: number
  /** The worst price accepted; null accepts any. */
  readonly limit: Price | null
  /** Our own orders never trade with one another; the crowd trades with all. */
  readonly sparesOwn: boolean
}

/** A book with price-time priority that holds the crowd's orders and ours in the same queues. */
export interface OrderBook {
  /** Adds an order at the end of the queue of its price. */
  rest(owner: OrderId, side: Side, at: Price, lots: Quantity): void
  /** Removes our order. */
  remove(owner: OrderId): void
  /** Reduces our order; it keeps its queue position. */
  shrink(owner: OrderId, lots: Quantity): void
  /** Matches against the other side, best price first, oldest first. */
  take(taking: Taking): Match[]
  /** Returns the matches that `take` would make, without matching. */
  peek(taking: Taking): Match[]
  /** Replaces the crowd of one side; the crowd behind our order leaves before the crowd ahead of it. */
  setCrowd(side: Side, levels: readonly DepthLevel[]): void
  /** Replaces the crowd at one price. */
  setCrowdAt(side: Side, at: Price, lots: number): void
  /** Removes the crowd at prices where no order of ours rests. */
  dropCrowd(): void
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

  rest(owner: OrderId, side: Side, at: Price, lots: Quantity): void {
    this.#levelAt(side, at).queue.push({ owner, lots })
  }

  remove(owner: OrderId): void {
    if (!removeFrom(this.#bids, owner)) removeFrom(this.#asks, owner)
  }

  shrink(owner: OrderId, lots: Quantity): void {
    const resting = findIn(this.#bids, owner) ?? findIn(this.#asks, owner)
    if (resting !== null) resting.lots = lots
  }

  take(taking: Taking): Match[] {
    const levels = this.#levelsOf(oppositeOf(taking.side))
    const matches = matchAll(levels, taking)
    sweep(levels)
    return matches
  }

  peek(taking: Taking): Match[] {
    return matchAll(this.#levelsOf(oppositeOf(taking.side)).map(copyLevel), taking)
  }

  setCrowd(side: Side, wanted: readonly DepthLevel[]): void {
    const levels = this.#levelsOf(side)
    for (const level of levels) {
      if (!wanted.some(({ price }) => price === level.price)) fitCrowd(level, 0)
    }
    sweep(levels)
    for (const { price, size } of wanted) this.setCrowdAt(side, price, size)
  }

  setCrowdAt(side: Side, at: Price, lots: number): void {
    const levels = this.#levelsOf(side)
    if (lots > 0) fitCrowd(this.#levelAt(side, at), lots)
    else {
      const level = levels[placeIn(levels, side, at)]
      if (level?.price !== at) return
      fitCrowd(level, 0)
      if (level.queue.length === 0) sweep(levels)
    }
  }

  dropCrowd(): void {
    dropCrowdOnly(this.#bids)
    dropCrowdOnly(this.#asks)
  }

  levels(side: Side): DepthLevel[] {
    return this.#levelsOf(side).map((level) => ({
      price: level.price,
      size: quantity(level.queue.reduce((sum, resting) => sum + resting.lots, 0)),
    }))
  }

  #levelsOf(side: Side): Level[] {
    return side === 'BUY' ? this.#bids : this.#asks
  }

  #levelAt(side: Side, at: Price): Level {
    const levels = this.#levelsOf(side)
    const index = placeIn(levels, side, at)
    const found = levels[index]
    if (found?.price === at) return found
    const level: Level = { price: at, queue: [] }
    levels.splice(index, 0, level)
    return level
  }
}

/** Returns the index of the level of a price, or of the first worse one. */
function placeIn(levels: readonly Level[], side: Side, at: Price): number {
  let index = 0
  if (side === 'BUY') while ((levels[index]?.price ?? 0) > at) index++
  else while ((levels[index]?.price ?? Number.POSITIVE_INFINITY) < at) index++
  return index
}

function findIn(levels: readonly Level[], owner: OrderId): Resting | null {
  for (const { queue } of levels) for (const resting of queue) if (resting.owner === owner) return resting
  return null
}

function removeFrom(levels: Level[], owner: OrderId): boolean {
  for (let index = 0; index < levels.length; index++) {
    const queue = levels[index]?.queue ?? []
    for (let nth = 0; nth < queue.length; nth++) {
      if (queue[nth]?.owner !== owner) continue
      if (queue.length === 1) levels.splice(index, 1)
      else queue.splice(nth, 1)
      return true
    }
  }
  return false
}

/** Removes the levels whose queue is empty. */
function sweep(levels: Level[]): void {
  for (let index = levels.length - 1; index >= 0; index--) {
    if (levels[index]?.queue.length === 0) levels.splice(index, 1)
  }
}

function dropCrowdOnly(levels: Level[]): void {
  for (let index = levels.length - 1; index >= 0; index--) {
    if (levels[index]?.queue.every(isOfCrowd)) levels.splice(index, 1)
  }
}

function isOfCrowd({ owner }: Resting): boolean {
  return owner === null
}

function copyLevel(level: Level): Level {
  return { price: level.price, queue: level.queue.map((resting) => ({ ...resting })) }
}

/** Takes from level after level until the quantity is used up or the limit is reached. */
function matchAll(levels: readonly Level[], { side, quantity: lots, limit, sparesOwn }: Taking): Match[] {
  const matches: Match[] = []
  let left = lots
  for (const level of levels) {
    if (left === 0 || (limit !== null && isBeyond(side, level.price, limit))) break
    for (const resting of level.queue) {
      if (left === 0) break
      if (sparesOwn && resting.owner !== null) continue
      const taken = Math.min(left, resting.lots)
      resting.lots -= taken
      left -= taken
      matches.push({ owner: resting.owner, price: level.price, quantity: quantity(taken) })
    }
    dropEmpty(level)
  }
  return matches
}

/** Returns whether a price is worse than the limit of a taker on this side. */
function isBeyond(side: Side, at: Price, limit: Price): boolean {
  return side === 'BUY' ? at > limit : at < limit
}

function dropEmpty({ queue }: Level): void {
  for (let nth = queue.length - 1; nth >= 0; nth--) if (queue[nth]?.lots === 0) queue.splice(nth, 1)
}

function fitCrowd(level: Level, target: number): void {
  const { queue } = level
  let crowd = 0
  for (const resting of queue) if (resting.owner === null) crowd += resting.lots
  if (crowd < target) {
    const last = queue.at(-1)
    if (last?.owner === null) last.lots += target - crowd
    else queue.push({ owner: null, lots: target - crowd })
    return
  }
  let surplus = crowd - target
  for (let nth = queue.length - 1; nth >= 0 && surplus > 0; nth--) {
    const resting = queue[nth]
    if (resting === undefined || resting.owner !== null) continue
    const leaving = Math.min(surplus, resting.lots)
    resting.lots -= leaving
    surplus -= leaving
    if (resting.lots === 0) queue.splice(nth, 1)
  }
}
