import type { BarColumns } from '#market/history.ts'
import type { Instrument } from '#model/instrument.ts'
import type { Interval } from '#model/interval.ts'
import type { Settings } from '#strategies/parameter.ts'
import type { Strategy, StrategyBar, StrategyContext, StrategyKind } from '#strategies/strategy.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { type Increment, incrementsToNumber } from '#values/increment.ts'
import { createRolling, type Rolling } from './rolling.ts'

export const meanReversion: StrategyKind = {
  type: 'mean_reversion',
  title: 'Mean reversion',
  about:
    'Trades the return to the mean: it buys when a close is entry_score standard deviations below the mean of the last window_bars closes, sells short when it is as far above, and closes the position when the z-score falls below exit_score or after max_hold_bars bars. On spot, which cannot be sold short, it only buys.',
  earnsWhen:
    'Prices swing around a level, or a venue deviates from the others for some seconds and returns; the return must exceed two taker fees and the spread.',
  losesWhen:
    'A move continues: the price settles at a new level, and the position is closed at a loss after max_hold_bars. A low min_edge_bps makes it trade on moves too small to pay the fees.',
  parameters: [
    {
      name: 'instrument',
      label: 'Instrument',
      kind: 'instrument',
      default: 'SOLUSDT-PERP',
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
      name: 'window_bars',
      label: 'Window (bars)',
      kind: 'integer',
      min: 5,
      max: 5_000,
      default: 30,
      description: 'Number of closes for mean and standard deviation.',
    },
    {
      name: 'entry_score',
      label: 'Entry z-score',
      kind: 'number',
      min: 0.1,
      max: 10,
      default: 2,
      description: 'Entry z-score: enter when a close is this many standard deviations from the mean.',
    },
    {
      name: 'exit_score',
      label: 'Exit z-score',
      kind: 'number',
      min: 0,
      max: 10,
      default: 0.5,
      description: 'Exit z-score: exit when the z-score falls below this. Must be below Entry z-score.',
    },
    {
      name: 'min_edge_bps',
      label: 'Minimum edge (bps)',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 3,
      description: 'Minimum distance from the mean to enter, in basis points (bps), whatever the z-score.',
    },
    {
      name: 'max_hold_bars',
      label: 'Maximum holding time (bars)',
      kind: 'integer',
      min: 1,
      max: 100_000,
      default: 60,
      description: 'Maximum holding time, in bars. The position is then closed.',
    },
    {
      name: 'order_value',
      label: 'Position value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 150,
      description: 'Position value, in quote currency.',
    },
  ],
  create(settings, instruments) {
    if (settings.number('exit_score') >= settings.number('entry_score')) {
      return {
        parameter: 'exit_score',
        requirement: `must be below Entry z-score, ${settings.number('entry_score')}`,
      }
    }
    return new MeanReversion(settings, instruments.get(idFrom(settings.text('instrument'))))
  },
}

class MeanReversion implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly warmUpBars: number
  readonly #window: Rolling
  readonly #entry: number
  readonly #exit: number
  readonly #edge: number
  readonly #maxHold: number
  readonly #value: number
  readonly #canShort: boolean
  readonly #tick: Increment
  #heldBars = 0
  /** The last close, and the window that it was scored against. */
  readonly #scored = { close: 0, mean: 0, score: 0 }

  constructor(settings: Settings, { id, kind, tick }: Instrument) {
    this.instruments = [id]
    this.#tick = tick
    this.#canShort = kind !== 'SPOT'
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('window_bars')
    this.#window = createRolling(this.warmUpBars)
    this.#entry = settings.number('entry_score')
    this.#exit = settings.number('exit_score')
    this.#edge = settings.number('min_edge_bps') / 10_000
    this.#maxHold = settings.number('max_hold_bars')
    this.#value = settings.number('order_value')
  }

  onBar(bar: StrategyBar, context: StrategyContext): void {
    const position = context.position(0)
    const side = this.#targetSide(bar.close, position)
    if (side !== null) {
      this.#scored.close = bar.close
      this.#scored.mean = this.#window.mean()
      this.#scored.score = this.#window.score(bar.close)
    }
    this.#take(bar.close, position)
    if (side === null) return
    // Targets include working orders, so closing a position twice adds nothing.
    context.target(0, side === 0 ? 0 : side * context.lotsFor(0, this.#value))
  }

  explain() {
    const { close, mean, score } = this.#scored
    return {
      close: incrementsToNumber(close, this.#tick),
      mean: incrementsToNumber(mean, this.#tick),
      score,
      held_bars: this.#heldBars,
    }
  }

  takeQuiet(bars: BarColumns, from: number, to: number, context: StrategyContext): number {
    const position = context.position(0)
    const { close } = bars
    for (let row = from; row < to; row++) {
      const price = close[row] ?? 0
      if (this.#targetSide(price, position) !== null) return row
      this.#take(price, position)
    }
    return to
  }

  #take(close: number, position: number): void {
    this.#window.add(close)
    this.#heldBars = position === 0 ? 0 : this.#heldBars + 1
  }

  /** Returns the side to hold, or null for no change. A close is scored against the window before it. */
  #targetSide(close: number, position: number): -1 | 0 | 1 | null {
    if (!this.#window.isFull) return null
    const score = this.#window.score(close)
    if (position !== 0) return this.#isExitDue(score, position) ? 0 : null
    if (Math.abs(score) < this.#entry || (score > 0 && !this.#canShort)) return null
    const away = Math.abs(close - this.#window.mean())
    if (away < this.#edge * close) return null
    return score > 0 ? -1 : 1
  }

  #isExitDue(score: number, position: number): boolean {
    if (this.#heldBars >= this.#maxHold) return true
    return position > 0 ? score >= -this.#exit : score <= this.#exit
  }
}
