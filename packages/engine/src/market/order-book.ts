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
  queue: Resting[]
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
  /** Returns the queues' totals, best first. */
  levels(side: Side): DepthLevel[]
}

/** Creates an empty book. */
export function createOrderBook(): OrderBook {
  const sides: Record<Side, Level[]> = { BUY: [], SELL: [] }

  function levelAt(side: Side, at: Price): Level {
    const levels = sides[side]
    let index = 0
    while (index < levels.length && isBetter(side, levels[index]?.price ?? at, at)) index++
    const found = levels[index]
    if (found?.price === at) return found
    const level: Level = { price: at, queue: [] }
    levels.splice(index, 0, level)
    return level
  }

  function change(owner: OrderId, edit: (queue: Resting[]) => Resting[]): void {
    for (const levels of Object.values(sides)) {
      const level = levels.find((candidate) => candidate.queue.some((resting) => resting.owner === owner))
      if (level) level.queue = edit(level.queue)
    }
    sweep()
  }

  function sweep(): void {
    for (const side of ['BUY', 'SELL'] as const) {
      if (sides[side].some((level) => level.queue.length === 0)) {
        sides[side] = sides[side].filter((level) => level.queue.length > 0)
      }
    }
  }

  return {
    rest: (owner, side, at, lots) => {
      levelAt(side, at).queue.push({ owner, lots })
    },
    remove: (owner) => change(owner, (queue) => queue.filter((resting) => resting.owner !== owner)),
    shrink: (owner, lots) =>
      change(owner, (queue) => queue.map((resting) => (resting.owner === owner ? { owner, lots } : resting))),
    take: (taking) => {
      const matches = reachable(sides, taking).flatMap(takeFrom(taking))
      sweep()
      return matches
    },
    peek: (taking) => reachable(sides, taking).map(copyLevel).flatMap(takeFrom(taking)),
    setCrowd: (side, levels) => {
      const wanted = new Map(levels.map((level) => [level.price, level.size]))
      for (const level of sides[side]) fitCrowd(level, wanted.get(level.price) ?? 0)
      for (const level of levels) fitCrowd(levelAt(side, level.price), level.size)
      sweep()
    },
    setCrowdAt: (side, at, lots) => fitCrowd(levelAt(side, at), lots),
    levels: (side) =>
      sides[side].map((level) => ({
        price: level.price,
        size: quantity(level.queue.reduce((sum, resting) => sum + resting.lots, 0)),
      })),
  }
}

function isBetter(side: Side, one: Price, other: Price): boolean {
  return side === 'BUY' ? one > other : one < other
}

function reachable(sides: Record<Side, Level[]>, taking: Taking): Level[] {
  const resting = oppositeOf(taking.side)
  const { limit } = taking
  if (limit === null) return sides[resting]
  return sides[resting].filter((level) => !isBetter(resting, limit, level.price))
}

function copyLevel(level: Level): Level {
  return { price: level.price, queue: level.queue.map((resting) => ({ ...resting })) }
}

/** Returns a function that takes from level after level until the quantity is used up. */
function takeFrom(taking: Taking): (level: Level) => Match[] {
  let left = taking.quantity
  return (level) => {
    const matches: Match[] = []
    for (const resting of level.queue) {
      if (left === 0) break
      if (taking.sparesOwn && resting.owner !== null) continue
      const lots = Math.min(left, resting.lots)
      resting.lots -= lots
      left -= lots
      matches.push({ owner: resting.owner, price: level.price, quantity: quantity(lots) })
    }
    level.queue = level.queue.filter((resting) => resting.lots > 0)
    return matches
  }
}

function fitCrowd(level: Level, target: number): void {
  const crowd = level.queue.reduce((sum, resting) => sum + (resting.owner === null ? resting.lots : 0), 0)
  if (crowd < target) {
    const last = level.queue.at(-1)
    if (last?.owner === null) last.lots += target - crowd
    else level.queue.push({ owner: null, lots: target - crowd })
    return
  }
  let surplus = crowd - target
  for (const resting of level.queue.toReversed()) {
    if (surplus === 0 || resting.owner !== null) continue
    const leaving = Math.min(surplus, resting.lots)
    resting.lots -= leaving
    surplus -= leaving
  }
  level.queue = level.queue.filter((resting) => resting.lots > 0)
}
