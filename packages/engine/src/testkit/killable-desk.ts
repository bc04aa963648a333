import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import type { Random } from '#market/random.ts'
import type { Command } from '#model/input.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { Position } from '#model/position.ts'
import { createHardState } from '#state/hard-state.ts'
import { quantityFromLots, quantityToNumber } from '#values/quantity.ts'
import { createLatency } from '#venue/latency.ts'
import { HISTORY_INSTRUMENTS, liveRandomStep, openMarket } from './histories.ts'
import { createLab, type Lab } from './lab.ts'

const limits = { maxOrderSize: 1_500, maxPositionSize: 8_000, maxDailyLoss: 15_000, maxPositions: 8 }

/** A desk with latency to its venues that can be killed at any moment; a restart has only its journal. */
export class KillableDesk {
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

  killAndRestart(): void {
    this.#entries.push(...this.lab.entries)
    const state = fold(createHardState(), this.#entries.map(encodeEntry).map(decodeEntry))
    const { now } = this.lab
    this.lab = createLab({ instruments: HISTORY_INSTRUMENTS, latency: this.#latency, state, at: now })
    openMarket(this.lab, this.#random)
  }
}

/** Runs one random step with more messages in transit than an ordinary one: little time passes, and much is reduced. */
export function liveCrossingStep(lab: Lab, random: Random): void {
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
  const quantity = quantityToNumber(quantityFromLots(lots), lot)
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

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random.uniform() * items.length)]
}
