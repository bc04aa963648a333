import type { BarColumns } from '#market/history.ts'
import type { Instrument } from '#model/instrument.ts'
import type { Interval } from '#model/interval.ts'
import type { Settings } from '#strategies/parameter.ts'
import type { Strategy, StrategyBar, StrategyContext, StrategyKind } from '#strategies/strategy.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { type Increment, incrementsToNumber } from '#values/increment.ts'
import { addToEma, createEma, type Ema, nextEma } from './ema.ts'

export const momentum: StrategyKind = {
  type: 'momentum',
  title: 'Momentum',
  about:
    'Follows the trend: long while the fast average of closes is above the slow one, short while it is below, reversing when they cross. After slow_bars bars it takes the side that the averages show; after that it trades only on a crossing. On spot, which cannot be sold short, it holds nothing instead of a short position.',
  earnsWhen:
    'Prices move one way for much longer than slow_bars bars, so that one trade pays for many small losses.',
  losesWhen:
    'Prices go sideways: each crossing pays two taker fees and the spread, and the next crossing comes before there was a gain. On the simulated market, which has no trend of its own, it loses about its fees.',
  parameters: [
    {
      name: 'instrument',
      label: 'Instrument',
      kind: 'instrument',
      default: 'BTCUSDT-PERP',
      description: 'Instrument to trade.',
    },
    {
      name: 'interval',
      label: 'Bar interval',
      kind: 'interval',
      default: '1s',
      description: 'Bar interval.',
    },
    {
      name: 'fast_bars',
      label: 'Fast average (bars)',
      kind: 'integer',
      min: 1,
      max: 1_000,
      default: 20,
      description: 'Length of the fast average, in bars.',
    },
    {
      name: 'slow_bars',
      label: 'Slow average (bars)',
      kind: 'integer',
      min: 2,
      max: 5_000,
      default: 60,
      description: 'Length of the slow average, in bars. Must be above Fast average (bars).',
    },
    {
      name: 'threshold_bps',
      label: 'Crossing threshold (bps)',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 1,
      description:
        'Minimum distance between the averages to count as a crossing, in basis points (bps) of the price.',
    },
    {
      name: 'order_value',
      label: 'Position value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 300,
      description: 'Position value, in quote currency. A reversal trades twice as much.',
    },
  ],
  create(settings, instruments) {
    if (settings.number('fast_bars') >= settings.number('slow_bars')) {
      return {
        parameter: 'fast_bars',
        requirement: `must be below Slow average (bars), ${settings.number('slow_bars')}`,
      }
    }
    return new Momentum(settings, instruments.get(idFrom(settings.text('instrument'))))
  },
}

class Momentum implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly warmUpBars: number
  readonly #fast: Ema
  readonly #slow: Ema
  /** The minimum distance between the averages, as a fraction of the slow one. */
  readonly #band: number
  readonly #value: number
  readonly #canShort: boolean
  readonly #tick: Increment
  /** The side it last acted on: 1 long, -1 short, 0 none yet. */
  #side = 0

  constructor(settings: Settings, { id, kind, tick }: Instrument) {
    this.instruments = [id]
    this.#tick = tick
    this.#canShort = kind !== 'SPOT'
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('slow_bars')
    this.#fast = createEma(settings.number('fast_bars'))
    this.#slow = createEma(settings.number('slow_bars'))
    this.#band = settings.number('threshold_bps') / 10_000
    this.#value = settings.number('order_value')
  }

  onBar(bar: StrategyBar, context: StrategyContext): void {
    const fast = addToEma(this.#fast, bar.close)
    const slow = addToEma(this.#slow, bar.close)
    if (this.#slow.count < this.warmUpBars) return
    // The first side follows the averages directly; only a reversal needs the threshold.
    const side = sideOf(fast, slow, this.#side === 0 ? 0 : this.#band)
    if (side === 0 || side === this.#side || !context.isLive) return
    this.#side = side
    // After a restart the position may already be open.
    if (side < 0 && !this.#canShort) context.target(0, 0)
    else if (context.position(0) * side <= 0) context.target(0, side * context.lotsFor(0, this.#value))
  }

  explain() {
    const fast = incrementsToNumber(this.#fast.value, this.#tick)
    const slow = incrementsToNumber(this.#slow.value, this.#tick)
    return { fast_average: fast, slow_average: slow, distance_bps: ((fast - slow) / slow) * 10_000 }
  }

  takeQuiet(bars: BarColumns, from: number, to: number): number {
    const { close } = bars
    const fastWeight = this.#fast.weight
    const slowWeight = this.#slow.weight
    let fast = this.#fast.value
    let slow = this.#slow.value
    let row = from
    // The first bars and the first side are left to the slow loop.
    if (this.#slow.count < this.warmUpBars || this.#side === 0) return from
    for (; row < to; row++) {
      const price = close[row] ?? 0
      const nextFast = nextEma(fast, fastWeight, price)
      const nextSlow = nextEma(slow, slowWeight, price)
      const side = sideOf(nextFast, nextSlow, this.#band)
      if (side !== 0 && side !== this.#side) break
      fast = nextFast
      slow = nextSlow
    }
    this.#fast.value = fast
    this.#slow.value = slow
    this.#fast.count += row - from
    this.#slow.count += row - from
    return row
  }
}

function sideOf(fast: number, slow: number, band: number): number {
  const gap = fast - slow
  const least = band * slow
  if (gap > least) return 1
  return gap < -least ? -1 : 0
}
