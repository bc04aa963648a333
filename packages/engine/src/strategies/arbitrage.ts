import type { Instrument } from '#market/instrument.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import type { Settings } from './parameter.ts'
import type { SettingsConflict, Strategy, StrategyDesk, StrategyKind } from './strategy.ts'

export const arbitrage: StrategyKind = {
  type: 'arbitrage',
  title: 'Arbitrage',
  about:
    'Buys where a pair is cheap and sells it where it is dear: when the best bid of one venue is above the best ask of another by more than both taker fees and min_profit_bps, it buys at the one and, when that has filled, sells as much at the other. It holds both legs until a gap the other way lets it trade back, and has legs on two venues of a pair at a time.',
  earnsWhen:
    'Venues fall out of line again and again, in both directions: each round trip earns the two gaps less four fees.',
  losesWhen:
    'The second leg fills at a worse price than was seen, or venues fall out of line one way only, so that the legs stay open and pay funding. Fees above the usual gap leave it nothing to do.',
  parameters: [
    {
      name: 'instruments',
      kind: 'instruments',
      min: 2,
      max: 15,
      default: [
        'BTCUSDT-PERP',
        'BTCUSDT-PERP.BYBIT',
        'BTCUSDT-PERP.OKX',
        'ETHUSDT-PERP',
        'ETHUSDT-PERP.BYBIT',
        'ETHUSDT-PERP.OKX',
        'SOLUSDT-PERP',
        'SOLUSDT-PERP.BYBIT',
        'SOLUSDT-PERP.OKX',
      ],
      sentence: 'What it watches: each pair on two venues or more.',
    },
    {
      name: 'min_profit_bps',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 0.5,
      sentence: 'What must be left of a gap after both fees, in hundredths of a percent.',
    },
    {
      name: 'max_pairs',
      kind: 'integer',
      min: 1,
      max: 7,
      default: 1,
      sentence: 'In how many pairs it may have legs open at once.',
    },
    {
      name: 'order_value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 500,
      sentence: 'The value of one leg, in quote currency.',
    },
    {
      name: 'max_inventory',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 1_500,
      sentence:
        'The most that it holds on one venue, long or short, in quote currency; it must be at least order_value.',
    },
    {
      name: 'max_quote_age_s',
      kind: 'number',
      min: 0.1,
      max: 60,
      default: 1,
      sentence: 'Quotes older than this many seconds are not traded on.',
    },
  ],
  create(settings, instruments) {
    const listed = settings.list('instruments').map((name) => instruments.get(idFrom(name)))
    return conflictIn(settings, listed) ?? new Arbitrage(settings, listed)
  },
}

function conflictIn(settings: Settings, listed: readonly Instrument[]): SettingsConflict | null {
  if (settings.number('max_inventory') < settings.number('order_value')) {
    return {
      parameter: 'max_inventory',
      must: `must be at least order_value (${settings.number('order_value')})`,
    }
  }
  const lonely = listed.find(({ symbol }) => listed.filter((other) => other.symbol === symbol).length < 2)
  if (lonely === undefined) return null
  return { parameter: 'instruments', must: `must name ${lonely.symbol} on a second venue or not at all` }
}

/** How long the second leg is tried, as when risk denies it, before the first is taken back. */
const GIVE_UP_MS = 2_000

class Arbitrage implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval = null
  readonly warmUpBars = 0
  /** The slots of each pair, and for each slot which pair it is of. */
  readonly #pairs: readonly (readonly number[])[]
  readonly #pairOf: readonly number[]
  /** Taker fees as fractions, and the least size, by slot. */
  readonly #fees: Float64Array
  readonly #least: Float64Array
  readonly #profit: number
  readonly #maxPairs: number
  readonly #value: number
  readonly #maxValue: number
  readonly #maxAgeMs: number
  /** Since when one leg of a pair has been without the other, 0 while it is not so. */
  readonly #lopsidedSince: Float64Array

  constructor(settings: Settings, listed: readonly Instrument[]) {
    this.instruments = listed.map(({ id }) => id)
    const symbols = [...new Set(listed.map(({ symbol }) => symbol))]
    this.#pairOf = listed.map(({ symbol }) => symbols.indexOf(symbol))
    this.#pairs = symbols.map((_, pair) =>
      listed.flatMap((_each, slot) => (this.#pairOf[slot] === pair ? [slot] : [])),
    )
    this.#lopsidedSince = new Float64Array(symbols.length)
    this.#fees = Float64Array.from(listed, ({ takerFeePpm }) => takerFeePpm / 1e6)
    this.#least = Float64Array.from(listed, ({ minQuantity }) => minQuantity)
    this.#profit = settings.number('min_profit_bps') / 10_000
    this.#maxPairs = settings.number('max_pairs')
    this.#value = settings.number('order_value')
    this.#maxValue = settings.number('max_inventory')
    this.#maxAgeMs = settings.number('max_quote_age_s') * 1_000
  }

  onQuote(slot: number, desk: StrategyDesk): void {
    const number = this.#pairOf[slot] ?? -1
    const pair = this.#pairs[number] ?? []
    if (isBusy(pair, desk)) return
    // Two legs are enough: a third venue would tie up one more position.
    const isFull = legsOf(pair, desk) >= 2
    const cheap = this.#cheapest(pair, desk, isFull)
    const dear = this.#dearest(pair, desk, isFull)
    if (cheap < 0 || dear < 0) return
    const excess = sumOf(pair, desk)
    const isEven = Math.abs(excess) < (this.#least[cheap] ?? 0)
    const lopsidedMs = this.#lopsidedFor(number, isEven, desk.now)
    if (isEven) this.#open(pair, cheap, dear, desk)
    else if (lopsidedMs > GIVE_UP_MS) giveBack(pair, excess, desk)
    else this.#balance(excess, cheap, dear, desk)
  }

  #lopsidedFor(pair: number, isEven: boolean, now: number): number {
    const since = isEven ? 0 : this.#lopsidedSince[pair] || now
    this.#lopsidedSince[pair] = since
    return isEven ? 0 : now - since
  }

  /** The second leg: what one leg has filled and the other has not goes where it trades best. */
  #balance(excess: number, cheap: number, dear: number, desk: StrategyDesk): void {
    const slot = excess > 0 ? dear : cheap
    desk.place(slot, excess > 0 ? 'SELL' : 'BUY', Math.abs(excess), { price: null })
  }

  /** The first leg: no dearer than seen, or not at all. */
  #open(pair: readonly number[], cheap: number, dear: number, desk: StrategyDesk): void {
    if (cheap === dear) return
    const buyAt = desk.ask(cheap)
    const cost = buyAt * (1 + (this.#fees[cheap] ?? 0))
    const gain = desk.bid(dear) * (1 - (this.#fees[dear] ?? 0))
    if (gain - cost < this.#profit * buyAt) return
    if (legsOf(pair, desk) === 0 && this.#openPairs(desk) >= this.#maxPairs) return
    const most = desk.lotsFor(cheap, this.#maxValue)
    const room = Math.min(most - desk.position(cheap), most + desk.position(dear))
    const lots = Math.min(desk.lotsFor(cheap, this.#value), room)
    if (lots >= (this.#least[cheap] ?? 0))
      desk.place(cheap, 'BUY', lots, { price: buyAt, timeInForce: 'IOC' })
  }

  #openPairs(desk: StrategyDesk): number {
    let open = 0
    for (const pair of this.#pairs) if (legsOf(pair, desk) > 0 || isBusy(pair, desk)) open += 1
    return open
  }

  #cheapest(pair: readonly number[], desk: StrategyDesk, isFull: boolean): number {
    let best = -1
    for (const slot of pair) {
      if (!this.#isOpen(slot, desk, isFull)) continue
      if (best < 0 || desk.ask(slot) < desk.ask(best)) best = slot
    }
    return best
  }

  #dearest(pair: readonly number[], desk: StrategyDesk, isFull: boolean): number {
    let best = -1
    for (const slot of pair) {
      if (!this.#isOpen(slot, desk, isFull)) continue
      if (best < 0 || desk.bid(slot) > desk.bid(best)) best = slot
    }
    return best
  }

  /** Whether it may trade there: the quote is fresh, and with two legs open it is one of them. */
  #isOpen(slot: number, desk: StrategyDesk, isFull: boolean): boolean {
    if (isFull && desk.position(slot) === 0) return false
    return desk.quotedAt(slot) > 0 && desk.now - desk.quotedAt(slot) <= this.#maxAgeMs
  }
}

function isBusy(pair: readonly number[], desk: StrategyDesk): boolean {
  for (const slot of pair) if (desk.working(slot) !== 0) return true
  return false
}

function legsOf(pair: readonly number[], desk: StrategyDesk): number {
  let legs = 0
  for (const slot of pair) if (desk.position(slot) !== 0) legs += 1
  return legs
}

function sumOf(pair: readonly number[], desk: StrategyDesk): number {
  let sum = 0
  for (const slot of pair) sum += desk.position(slot)
  return sum
}

/** Closes the excess on the venues where it is held, which no limit forbids. */
function giveBack(pair: readonly number[], excess: number, desk: StrategyDesk): void {
  let left = Math.abs(excess)
  for (const slot of pair) {
    const held = desk.position(slot)
    if (Math.sign(held) !== Math.sign(excess) || left === 0) continue
    const lots = Math.min(left, Math.abs(held))
    desk.target(slot, held - Math.sign(held) * lots)
    left -= lots
  }
}
