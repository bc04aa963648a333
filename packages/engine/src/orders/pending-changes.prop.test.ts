import { expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { createRandom, type Random } from '#market/random.ts'
import type { Command } from '#model/input.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { type Position, positionKey } from '#model/position.ts'
import { createHardState } from '#state/hard-state.ts'
import { HISTORY_INSTRUMENTS, liveRandomStep, openMarket } from '#testkit/histories.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { quantityToNumber, quantity as toLots } from '#values/quantity.ts'
import { createLatency } from '#venue/latency.ts'

const limits = { maxOrderSize: 1_500, maxPositionSize: 8_000, maxDailyLoss: 15_000, maxPositions: 8 }

test('[RISK-24] when all has arrived reduce-only orders are for no more than is held, kills in between or not', () => {
  // Always the same histories, of which some held more than that while a cut could be forgotten.
  for (let seed = FIRST; seed < FIRST + 200; seed++) {
    const random = createRandom(seed)
    const desk = new MortalDesk(random)
    for (let step = 0; step < 120; step++) {
      liveStep(desk.lab, random)
      if (random.uniform() < 0.01) desk.dieAndReturn()
    }
    for (let count = 0; count < 12; count++) desk.lab.wait(400)
    mustHaveSettled(desk.lab)
  }
}, 240_000)

const FIRST = 3_200

/** A desk far from its venues that can be killed at any moment; its journal is all that is left then. */
class MortalDesk {
  readonly #random: Random
  readonly #latency
  readonly #entries: JournalEntry[] = []
  lab: Lab

  constructor(random: Random) {
    this.#random = random
    this.#latency = createLatency(30, random.fork('latency'))
    const opening = { cash: 20_000, limits }
    this.lab = createLab({ instruments: HISTORY_INSTRUMENTS, opening, latency: this.#latency })
    openMarket(this.lab, random)
  }

  dieAndReturn(): void {
    this.#entries.push(...this.lab.entries)
    const state = fold(createHardState(), this.#entries.map(encodeEntry).map(decodeEntry))
    const { now } = this.lab
    this.lab = createLab({ instruments: HISTORY_INSTRUMENTS, latency: this.#latency, state, at: now })
    openMarket(this.lab, this.#random)
  }
}

/** More of what can cross on its way than an ordinary history has: little time passes, and much is reduced. */
function liveStep(lab: Lab, random: Random): void {
  const dice = random.uniform()
  if (dice < 0.45) liveRandomStep(lab, random)
  else if (dice < 0.7) lab.wait(Math.floor(random.uniform() * 40))
  else {
    const position = pick(random, [...lab.state.positions.open.values()])
    if (position) lab.run(reducing(lab, random, position))
  }
}

function reducing(lab: Lab, random: Random, position: Position): Command {
  const { instrument, strategy, quantity: held } = position
  const { lot, minQuantity } = lab.instruments.get(instrument)
  const lots = Math.max(Math.ceil(Math.abs(held) * random.uniform()), minQuantity)
  const quantity = quantityToNumber(toLots(lots), lot)
  const order = pick(random, [...lab.state.orders.working.values()])
  const dice = random.uniform()
  if (dice < 0.1) return { type: 'ClosePosition', positionId: position.id }
  if (dice < 0.4 && order) return { type: 'ModifyOrder', orderId: order.id, quantity }
  const base = instrument.startsWith('BTC') ? 500 : 30
  return {
    type: 'PlaceOrder',
    instrument,
    strategy,
    side: held > 0 ? 'SELL' : 'BUY',
    quantity,
    orderType: pick(random, ['LIMIT', 'STOP', 'MARKET'] as const) ?? 'LIMIT',
    price: Math.round(base * (0.85 + 0.3 * random.uniform()) * 100) / 100,
    reduceOnly: random.uniform() < 0.7,
  }
}

function mustHaveSettled({ state }: Lab): void {
  const wanted = new Map<string, number>()
  for (const { terms, quantity, filled, change, isCancelRequested } of state.orders.working.values()) {
    expect({ change, isCancelRequested }).toEqual({ change: null, isCancelRequested: false })
    if (!terms.reduceOnly) continue
    const key = positionKey(terms.strategy, terms.instrument)
    const held = state.positions.open.get(key)?.quantity ?? 0
    const lots = (wanted.get(`${key} ${terms.side}`) ?? 0) + quantity - filled
    wanted.set(`${key} ${terms.side}`, lots)
    expect(lots).toBeLessThanOrEqual(terms.side === 'BUY' ? -held : held)
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random.uniform() * items.length)]
}
