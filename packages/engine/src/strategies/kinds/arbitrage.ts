import { askAt, bidAt, pathPrice, QUARTERS } from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import { PathRange } from '#market/path-range.ts'
import type { Instrument } from '#model/instrument.ts'
import { INTERVAL_MS } from '#model/interval.ts'
import type { Settings } from '#strategies/parameter.ts'
import type {
  PlayedBars,
  QuarterOfRow,
  SettingsConflict,
  Strategy,
  StrategyContext,
  StrategyKind,
} from '#strategies/strategy.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { moneyToNumber } from '#values/money.ts'

export const arbitrage: StrategyKind = {
  type: 'arbitrage',
  title: 'Arbitrage',
  about:
    'Buys a pair on the cheaper venue and sells it on the more expensive one: when the best bid of one venue exceeds the best ask of another by more than both taker fees and min_profit_bps, it buys at the ask and, once filled, sells the same quantity at the bid. It holds both legs until a gap in the other direction lets it trade back. A pair has legs on two venues at a time. Spot cannot be sold short: there it buys on the cheaper venue, holds, and sells on a venue where it holds when that one is the dearer.',
  earnsWhen:
    'Prices of two venues diverge repeatedly, in both directions: each round trip earns the two gaps less four fees.',
  losesWhen:
    'The second leg fills at a worse price than quoted, or prices diverge in one direction only, so the legs stay open and pay funding. With fees above the typical gap it does not trade.',
  parameters: [
    {
      name: 'instruments',
      label: 'Instruments',
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
      description: 'Instruments to watch: each pair on two or more venues.',
    },
    {
      name: 'min_profit_bps',
      label: 'Minimum profit (bps)',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 0.5,
      description: 'Minimum profit after both fees, in basis points (bps).',
    },
    {
      name: 'max_pairs',
      label: 'Maximum open pairs',
      kind: 'integer',
      min: 1,
      max: 7,
      default: 1,
      description: 'Maximum number of pairs with open legs.',
    },
    {
      name: 'order_value',
      label: 'Leg value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 500,
      description: 'Value of one leg, in quote currency.',
    },
    {
      name: 'max_inventory',
      label: 'Maximum inventory',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 1_500,
      description:
        'Maximum position per venue, long or short, in quote currency. Must be at least Leg value.',
    },
    {
      name: 'max_quote_age_s',
      label: 'Maximum quote age (s)',
      kind: 'number',
      min: 0.1,
      max: 60,
      default: 1,
      description: 'Maximum age of a quote, in seconds. Older quotes are not traded on.',
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
      requirement: `must be at least Leg value, ${settings.number('order_value')}`,
    }
  }
  const lonely = listed.find(({ symbol }) => listed.filter((other) => other.symbol === symbol).length < 2)
  if (lonely === undefined) return null
  return {
    parameter: 'instruments',
    requirement: `must name ${lonely.symbol} on a second venue or not at all`,
  }
}

/** How long the second leg is tried, as when risk denies it, before the first is closed. */
const GIVE_UP_MS = 2_000

class Arbitrage implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval = null
  readonly warmUpBars = 0
  /** The slots of each pair, and the pair of each slot. */
  readonly #pairs: readonly (readonly number[])[]
  readonly #pairOf: readonly number[]
  /** By pair; all instruments of a pair are of one kind. */
  readonly #canShort: readonly boolean[]
  /** Taker fees as fractions and minimum quantities, by slot. */
  readonly #fees: Float64Array
  readonly #least: Float64Array
  /** What one lot at one tick is worth, in quote currency. */
  readonly #tickLotValue: Float64Array
  readonly #profit: number
  /** Below this ratio of bid to ask no two venues pay, whichever they are. */
  readonly #leastRatio: number
  readonly #maxPairs: number
  readonly #value: number
  readonly #maxValue: number
  readonly #maxAgeMs: number
  /** Since when a pair has one leg only; 0 otherwise. */
  readonly #lopsidedSince: Float64Array
  /** By pair, the last quarter that `#hasGap` computed, counted from the first row, and its result. */
  readonly #gapAt: Float64Array
  readonly #gaps: Uint8Array

  constructor(settings: Settings, listed: readonly Instrument[]) {
    this.instruments = listed.map(({ id }) => id)
    const symbols = [...new Set(listed.map(({ symbol }) => symbol))]
    this.#pairOf = listed.map(({ symbol }) => symbols.indexOf(symbol))
    this.#pairs = symbols.map((_, pair) =>
      listed.flatMap((_each, slot) => (this.#pairOf[slot] === pair ? [slot] : [])),
    )
    this.#canShort = this.#pairs.map((slots) => slots.every((slot) => listed[slot]?.kind !== 'SPOT'))
    this.#lopsidedSince = new Float64Array(symbols.length)
    this.#gapAt = new Float64Array(symbols.length).fill(-1)
    this.#gaps = new Uint8Array(symbols.length)
    this.#fees = Float64Array.from(listed, ({ takerFeePpm }) => takerFeePpm / 1e6)
    this.#least = Float64Array.from(listed, ({ minQuantity }) => minQuantity)
    this.#tickLotValue = Float64Array.from(listed, ({ tickLotValue }) => moneyToNumber(tickLotValue))
    this.#profit = settings.number('min_profit_bps') / 10_000
    const leastFee = Math.min(...this.#fees)
    // Slightly lower, for the rounding of products in doubles.
    this.#leastRatio = ((1 + leastFee + this.#profit) / (1 - leastFee)) * (1 - 1e-12)
    this.#maxPairs = settings.number('max_pairs')
    this.#value = settings.number('order_value')
    this.#maxValue = settings.number('max_inventory')
    this.#maxAgeMs = settings.number('max_quote_age_s') * 1_000
  }

  onQuote(slot: number, context: StrategyContext): void {
    const number = this.#pairOf[slot] ?? -1
    const pair = this.#pairs[number] ?? []
    if (isBusy(pair, context)) return
    // A third venue would use one more position.
    const isFull = legsOf(pair, context) >= 2
    const cheap = this.#cheapest(pair, context, isFull)
    const dear = this.#dearest(pair, context, isFull)
    if (cheap < 0 || dear < 0) return
    if (!this.#canShort[number]) {
      this.#tradeHoldings(pair, cheap, dear, context)
      return
    }
    const excess = sumOf(pair, context)
    const isEven = Math.abs(excess) < (this.#least[cheap] ?? 0)
    const lopsidedMs = this.#lopsidedFor(number, isEven, context.now)
    if (isEven) this.#open(pair, cheap, dear, context)
    else if (lopsidedMs > GIVE_UP_MS) giveBack(pair, excess, context)
    else this.#balance(excess, cheap, dear, context)
  }

  findActingRow(played: PlayedBars, from: number, to: number, context: StrategyContext): number {
    if (!this.#isGapForgotten(played)) return from
    const openPairs = this.#openPairs(context)
    let end = to
    for (let pair = 0; pair < this.#pairs.length && end > from; pair++) {
      const slots = this.#pairs[pair] ?? []
      const isEven = !this.#canShort[pair] || sumOf(slots, context) === 0
      if (!isEven || this.#lopsidedSince[pair] !== 0) return from
      if (legsOf(slots, context) > 0 || openPairs < this.#maxPairs)
        end = this.#findGap(slots, played, from, end, context)
    }
    return end
  }

  mayActAt(played: PlayedBars, slot: number, at: QuarterOfRow, context: StrategyContext): boolean {
    const pair = this.#pairOf[slot] ?? -1
    const slots = this.#pairs[pair] ?? []
    if (this.#lopsidedSince[pair] !== 0 || !this.#isGapForgotten(played)) return true
    if (this.#canShort[pair] && sumOf(slots, context) !== 0) return true
    return this.#hasGap(pair, slots, played, at)
  }

  /** Whether quotes of one quarter are too old in the next. */
  #isGapForgotten({ bars }: PlayedBars): boolean {
    return INTERVAL_MS[bars[0]?.interval ?? '1m'] / QUARTERS > this.#maxAgeMs
  }

  /** Whether two venues of a pair pay in a quarter of a row, by their prices alone; asked for each of its slots. */
  #hasGap(pair: number, slots: readonly number[], played: PlayedBars, at: QuarterOfRow): boolean {
    const place = at.row * QUARTERS + at.quarter
    if (this.#gapAt[pair] === place) return this.#gaps[pair] === 1
    let lowest = Number.POSITIVE_INFINITY
    let highest = 0
    for (const slot of slots) {
      lowest = Math.min(lowest, lowestIn(played.bars[slot], at))
      highest = Math.max(highest, highestIn(played.bars[slot], at))
    }
    const isGap = bidAt(highest, played.path) >= askAt(lowest, played.path) * this.#leastRatio
    this.#gapAt[pair] = place
    this.#gaps[pair] = isGap ? 1 : 0
    return isGap
  }

  /** Returns the first row in which two venues of a pair may pay. */
  #findGap(
    slots: readonly number[],
    played: PlayedBars,
    from: number,
    to: number,
    context: StrategyContext,
  ): number {
    const { path } = played
    const range = new PathRange()
    for (let row = from; row < to; row++) {
      range.begin()
      for (const slot of slots) range.add(played.bars[slot], row)
      for (let quarter = 0; quarter < QUARTERS; quarter++) {
        const bid = bidAt(range.highest(quarter), path)
        const ask = askAt(range.lowest(quarter), path)
        if (bid < ask * this.#leastRatio) continue
        if (this.#mayTrade(slots, played, { row, quarter }, context)) return row
      }
    }
    return to
  }

  /** Whether any two venues pay in a quarter of a row, with a quantity left to trade there. */
  #mayTrade(
    slots: readonly number[],
    played: PlayedBars,
    at: QuarterOfRow,
    context: StrategyContext,
  ): boolean {
    const isFull = legsOf(slots, context) >= 2
    for (const cheap of slots) {
      if (isFull && context.position(cheap) === 0) continue
      const lowest = lowestIn(played.bars[cheap], at)
      const ask = askAt(lowest, played.path)
      const most = this.#maxValue / (bidAt(lowest, played.path) * (this.#tickLotValue[cheap] ?? 0))
      for (const dear of slots) {
        if (dear === cheap || (isFull && context.position(dear) === 0)) continue
        if (bidAt(highestIn(played.bars[dear], at), played.path) < ask * this.#leastRatio) continue
        if (this.#mayFit(cheap, dear, most, context)) return true
      }
    }
    return false
  }

  /** Whether the inventory may allow a trade; one lot more, for the rounding. */
  #mayFit(cheap: number, dear: number, most: number, context: StrategyContext): boolean {
    const toBuy = most + 1 - context.position(cheap)
    const held = context.position(dear)
    if (this.#canShort[this.#pairOf[cheap] ?? -1])
      return Math.min(toBuy, most + 1 + held) >= (this.#least[cheap] ?? 0)
    return toBuy >= (this.#least[cheap] ?? 0) || held >= (this.#least[dear] ?? 0)
  }

  #lopsidedFor(pair: number, isEven: boolean, now: number): number {
    const since = isEven ? 0 : this.#lopsidedSince[pair] || now
    this.#lopsidedSince[pair] = since
    return isEven ? 0 : now - since
  }

  /** The second leg: hedges the unmatched quantity on the venue with the best price. */
  #balance(excess: number, cheap: number, dear: number, context: StrategyContext): void {
    const slot = excess > 0 ? dear : cheap
    context.place(slot, excess > 0 ? 'SELL' : 'BUY', Math.abs(excess), { price: null })
  }

  /** Spot: sells what it holds on the more expensive venue and buys on the cheaper one. */
  #tradeHoldings(pair: readonly number[], cheap: number, dear: number, context: StrategyContext): void {
    if (!this.#pays(pair, cheap, dear, context)) return
    const size = context.lotsFor(cheap, this.#value)
    const sold = Math.min(size, context.position(dear))
    if (sold >= (this.#least[dear] ?? 0))
      context.place(dear, 'SELL', sold, { price: context.bid(dear), timeInForce: 'IOC' })
    const bought = Math.min(size, context.lotsFor(cheap, this.#maxValue) - context.position(cheap))
    if (bought >= (this.#least[cheap] ?? 0))
      context.place(cheap, 'BUY', bought, { price: context.ask(cheap), timeInForce: 'IOC' })
  }

  /** Whether the gap pays both fees and the profit, and the pair may be traded. */
  #pays(pair: readonly number[], cheap: number, dear: number, context: StrategyContext): boolean {
    if (cheap === dear) return false
    const buyAt = context.ask(cheap)
    const cost = buyAt * (1 + (this.#fees[cheap] ?? 0))
    const gain = context.bid(dear) * (1 - (this.#fees[dear] ?? 0))
    if (gain - cost < this.#profit * buyAt) return false
    return legsOf(pair, context) > 0 || this.#openPairs(context) < this.#maxPairs
  }

  /** The first leg: at the quoted price or better, or not at all. */
  #open(pair: readonly number[], cheap: number, dear: number, context: StrategyContext): void {
    if (!this.#pays(pair, cheap, dear, context)) return
    const buyAt = context.ask(cheap)
    const most = context.lotsFor(cheap, this.#maxValue)
    const capacity = Math.min(most - context.position(cheap), most + context.position(dear))
    const lots = Math.min(context.lotsFor(cheap, this.#value), capacity)
    if (lots >= (this.#least[cheap] ?? 0))
      context.place(cheap, 'BUY', lots, { price: buyAt, timeInForce: 'IOC' })
  }

  #openPairs(context: StrategyContext): number {
    let open = 0
    for (const pair of this.#pairs) if (legsOf(pair, context) > 0 || isBusy(pair, context)) open += 1
    return open
  }

  #cheapest(pair: readonly number[], context: StrategyContext, isFull: boolean): number {
    let best = -1
    for (const slot of pair) {
      if (!this.#isOpen(slot, context, isFull)) continue
      if (best < 0 || context.ask(slot) < context.ask(best)) best = slot
    }
    return best
  }

  #dearest(pair: readonly number[], context: StrategyContext, isFull: boolean): number {
    let best = -1
    for (const slot of pair) {
      if (!this.#isOpen(slot, context, isFull)) continue
      if (best < 0 || context.bid(slot) > context.bid(best)) best = slot
    }
    return best
  }

  /** Whether it may trade there: the quote is recent, and with two legs open it is one of them. */
  #isOpen(slot: number, context: StrategyContext, isFull: boolean): boolean {
    if (isFull && context.position(slot) === 0) return false
    return context.quotedAt(slot) > 0 && context.now - context.quotedAt(slot) <= this.#maxAgeMs
  }
}

/** The lowest price that is quoted in a quarter: at its beginning the close of the bar before is still recent. */
function lowestIn(bars: BarColumns | undefined, { row, quarter }: QuarterOfRow): number {
  if (bars === undefined) return 0
  const ticks = pathPrice(bars, row, quarter)
  return quarter > 0 ? ticks : Math.min(ticks, bars.close[row - 1] ?? ticks)
}

function highestIn(bars: BarColumns | undefined, { row, quarter }: QuarterOfRow): number {
  if (bars === undefined) return 0
  const ticks = pathPrice(bars, row, quarter)
  return quarter > 0 ? ticks : Math.max(ticks, bars.close[row - 1] ?? ticks)
}

function isBusy(pair: readonly number[], context: StrategyContext): boolean {
  for (const slot of pair) if (context.working(slot) !== 0) return true
  return false
}

function legsOf(pair: readonly number[], context: StrategyContext): number {
  let legs = 0
  for (const slot of pair) if (context.position(slot) !== 0) legs += 1
  return legs
}

function sumOf(pair: readonly number[], context: StrategyContext): number {
  let sum = 0
  for (const slot of pair) sum += context.position(slot)
  return sum
}

/** Closes the excess on the venues where it is held; no limit denies a reduction. */
function giveBack(pair: readonly number[], excess: number, context: StrategyContext): void {
  let left = Math.abs(excess)
  for (const slot of pair) {
    const held = context.position(slot)
    if (Math.sign(held) !== Math.sign(excess) || left === 0) continue
    const lots = Math.min(left, Math.abs(held))
    context.target(slot, held - Math.sign(held) * lots)
    left -= lots
  }
}
