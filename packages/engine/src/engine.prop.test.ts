import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { createRandom } from '#market/random.ts'
import type { Event } from '#model/event.ts'
import { positionKey } from '#model/position.ts'
import { createHardState, type HardState } from '#state/hard-state.ts'
import { generated } from '#testkit/generated.ts'
import { HISTORY_INSTRUMENTS, liveRandomStep, openMarket } from '#testkit/histories.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { moneyFromUnits } from '#values/money.ts'
import { createLatency } from '#venue/latency.ts'

/** Some seconds of work, but the machine may be busy. */
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

function liveHistory(seed: number, steps: number): Lab {
  const random = createRandom(seed)
  const latency = random.uniform() < 0.3 ? { latency: createLatency(30, random.fork('latency')) } : {}
  const lab = createLab({ instruments: HISTORY_INSTRUMENTS, opening: { cash: 20_000 }, ...latency })
  openMarket(lab, random)
  for (let step = 0; step < steps; step++) liveRandomStep(lab, random)
  return lab
}

function check(count: string, steps: number, holds: (lab: Lab, seed: number) => void): void {
  fc.assert(
    fc.property(seeds, (seed) => holds(liveHistory(seed, steps), seed)),
    generated(count),
  )
}

describe('after any history', () => {
  test('cash + cost of positions = deposited + realised − fees + funding, to the unit', () => {
    check('accountHistories', 20, ({ state, events }) => {
      const { account, positions } = state
      const cost = [...positions.open.values()].reduce((sum, position) => sum + BigInt(position.cost), 0n)
      const owed =
        BigInt(account.deposited) + BigInt(account.realised) - BigInt(account.fees) + BigInt(account.funding)
      if (BigInt(account.cash) + cost !== owed) throw new Error(`${account.cash} + ${cost} is not ${owed}`)
      const sums = sumsOf(events)
      if (
        account.fees !== moneyFromUnits(sums.fees) ||
        account.realised !== moneyFromUnits(sums.realised) ||
        account.funding !== moneyFromUnits(sums.funding)
      ) {
        throw new Error('the account is not the sum of its events')
      }
      const results = [...positions.results.values()].reduce(
        (sum, result) => sum + BigInt(result.realised),
        0n,
      )
      if (moneyFromUnits(results) !== account.realised)
        throw new Error('strategies do not add up to the account')
    })
  })

  test("a position's quantity is the signed sum of its fills, and what is flat is no position", () => {
    check('engineHistories', 60, ({ state, events }) => {
      const held = new Map<string, number>(
        [...state.positions.open].map(([key, { quantity }]) => [key, quantity]),
      )
      expect(held).toEqual(lotsOf(events))
    })
  })

  test('folding the events, through text, gives the live hard state exactly', () => {
    check('engineHistories', 60, ({ entries, state }) => {
      expect(print(fold(createHardState(), entries.map(encodeEntry).map(decodeEntry)))).toBe(print(state))
    })
  })

  test('a snapshot anywhere and the entries after it give the same', () => {
    check('engineHistories', 60, ({ entries, state }, seed) => {
      const cut = seed % (entries.length + 1)
      const middle = decodeSnapshot(encodeSnapshot(fold(createHardState(), entries.slice(0, cut))))
      expect(print(fold(middle, entries.slice(cut)))).toBe(print(state))
    })
  })

  test('the same inputs give the same events', () => {
    check('engineHistories', 60, ({ entries }, seed) => {
      expect(liveHistory(seed, 60).entries.map(encodeEntry)).toEqual(entries.map(encodeEntry))
    })
  })

  test('strategies take part: they start, trade, are stopped and removed', () => {
    const seen = new Set<string>()
    // Always the same histories: this states what they contain, not what any must.
    for (let seed = 1; seed <= 300; seed++) noteStrategies(liveHistory(seed, 80), seen)
    for (const what of ['StrategyStarted', 'StrategyStopped', 'StrategyRemoved', 'a fill']) {
      expect(seen).toContain(what)
    }
  })

  test('in a quarter of histories as short as those of the account a strategy trades', () => {
    let traded = 0
    for (let seed = 1; seed <= 1_000; seed++) if (hasStrategyTraded(liveHistory(seed, 20))) traded += 1
    expect(traded).toBeGreaterThan(250)
  })

  test('a filled, cancelled, rejected or denied order never moves again', () => {
    check('engineHistories', 60, ({ events }) => {
      const ended = new Map<string, Left>()
      for (const event of events) {
        if ('orderId' in event && event.type !== 'ReportDisregarded') follow(ended, event)
      }
    })
  })
})

/** Notes which events of strategies there were, and whether one of them traded. */
function noteStrategies(lab: Lab, seen: Set<string>): void {
  for (const { type } of lab.events) if (type.startsWith('Strategy')) seen.add(type)
  if (hasStrategyTraded(lab)) seen.add('a fill')
}

function hasStrategyTraded({ state }: Lab): boolean {
  return [...state.positions.results].some(([id, { fills }]) => id.startsWith('S-') && fills > 0)
}

interface Left {
  lots: number
  size: number
}

/** Follows each order by its events alone, and throws when one comes after its end. */
function follow(orders: Map<string, Left>, event: Event & { orderId: string }): void {
  const left = orders.get(event.orderId) ?? { lots: 1, size: 1 }
  orders.set(event.orderId, left)
  if (left.lots === 0) throw new Error(`${event.type} after the end of ${event.orderId}`)
  if (event.type === 'OrderSubmitted') left.lots = left.size = event.terms.quantity
  else if (event.type === 'OrderFilled') left.lots -= event.quantity
  else if (event.type === 'OrderChanged') {
    left.lots += event.quantity - left.size
    left.size = event.quantity
  } else if (ENDS.has(event.type)) left.lots = 0
}

const ENDS = new Set(['OrderCancelled', 'OrderRejected', 'OrderDenied'])

function lotsOf(events: readonly Event[]): Map<string, number> {
  const terms = new Map(
    events.flatMap((event) => (event.type === 'OrderSubmitted' ? [[event.orderId, event.terms]] : [])),
  )
  const books = new Map<string, number>()
  for (const event of events) {
    const order = event.type === 'OrderFilled' && terms.get(event.orderId)
    if (!order) continue
    const key = positionKey(order.strategy, order.instrument)
    books.set(key, (books.get(key) ?? 0) + (order.side === 'BUY' ? event.quantity : -event.quantity))
  }
  return new Map([...books].filter(([, lots]) => lots !== 0))
}

/** Prints all of hard state, so that two can be compared at the price of a string. */
function print(state: HardState): string {
  return JSON.stringify(state, (key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    // Sums are recomputed from a snapshot, in its order of orders.
    if (value instanceof Map || (key === 'totals' && Array.isArray(value)))
      return [...value].sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
    return value instanceof Set ? [...value].sort() : value
  })
}

function sumsOf(events: readonly Event[]): Record<'fees' | 'realised' | 'funding', bigint> {
  const sums = { fees: 0n, realised: 0n, funding: 0n }
  for (const event of events) {
    if (event.type === 'OrderFilled') {
      sums.fees += BigInt(event.fee)
      sums.realised += BigInt(event.realised)
    } else if (event.type === 'FundingPaid') sums.funding += BigInt(event.amount)
  }
  return sums
}
