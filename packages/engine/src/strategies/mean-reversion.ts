import { createRolling, type Rolling } from '#indicators/rolling.ts'
import type { BarColumns } from '#market/history.ts'
import type { Interval } from '#market/interval.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import type { Settings } from './parameter.ts'
import type { Strategy, StrategyBar, StrategyDesk, StrategyKind } from './strategy.ts'

export const meanReversion: StrategyKind = {
  type: 'mean_reversion',
  title: 'Mean reversion',
  about:
    'Bets that prices come back: when a close lies entry_score standard deviations below the mean of the last window_bars closes it buys, as far above it sells short, and it closes the position when the score is back within exit_score or after max_hold_bars bars.',
  earnsWhen:
    'Prices swing around a level, or a venue falls out of line for some seconds and comes back; the way back must be longer than two taker fees and the spread.',
  losesWhen:
    'A move goes on: what looked far away becomes the new level, and the position is closed at a loss after max_hold_bars. A low min_edge_bps makes it trade on moves too small to pay the fees.',
  parameters: [
    { name: 'instrument', kind: 'instrument', default: 'SOLUSDT-PERP', sentence: 'What it trades.' },
    {
      name: 'interval',
      kind: 'interval',
      default: '1s',
      sentence: 'The length of the bars that it listens to.',
    },
    {
      name: 'window_bars',
      kind: 'integer',
      min: 5,
      max: 5_000,
      default: 30,
      sentence: 'Over how many closes mean and standard deviation are taken.',
    },
    {
      name: 'entry_score',
      kind: 'number',
      min: 0.1,
      max: 10,
      default: 2,
      sentence: 'How many standard deviations from the mean a close must be to enter.',
    },
    {
      name: 'exit_score',
      kind: 'number',
      min: 0,
      max: 10,
      default: 0.5,
      sentence:
        'How near to the mean, in standard deviations, a close must be to leave; it must be below entry_score.',
    },
    {
      name: 'min_edge_bps',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 3,
      sentence:
        'The least distance from the mean to enter on, in hundredths of a percent, whatever the score.',
    },
    {
      name: 'max_hold_bars',
      kind: 'integer',
      min: 1,
      max: 100_000,
      default: 60,
      sentence: 'After how many bars a position is closed even if the price did not come back.',
    },
    {
      name: 'order_value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 150,
      sentence: 'The value of a position, in quote currency.',
    },
  ],
  create(settings, instruments) {
    if (settings.number('exit_score') >= settings.number('entry_score')) {
      return {
        parameter: 'exit_score',
        must: `must be below entry_score (${settings.number('entry_score')})`,
      }
    }
    return new MeanReversion(settings, instruments.get(idFrom(settings.text('instrument'))).id)
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
  #heldBars = 0

  constructor(settings: Settings, instrument: InstrumentId) {
    this.instruments = [instrument]
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('window_bars')
    this.#window = createRolling(this.warmUpBars)
    this.#entry = settings.number('entry_score')
    this.#exit = settings.number('exit_score')
    this.#edge = settings.number('min_edge_bps') / 10_000
    this.#maxHold = settings.number('max_hold_bars')
    this.#value = settings.number('order_value')
  }

  onBar(bar: StrategyBar, desk: StrategyDesk): void {
    const position = desk.position(0)
    const wish = this.#wish(bar.close, position)
    this.#take(bar.close, position)
    if (wish === null) return
    // A flat wish for a position that is on its way out already adds nothing: targets count working orders in.
    desk.target(0, wish === 0 ? 0 : wish * desk.lotsFor(0, this.#value))
  }

  takeQuiet(bars: BarColumns, from: number, to: number, desk: StrategyDesk): number {
    const position = desk.position(0)
    const { close } = bars
    for (let row = from; row < to; row++) {
      const price = close[row] ?? 0
      if (this.#wish(price, position) !== null) return row
      this.#take(price, position)
    }
    return to
  }

  #take(close: number, position: number): void {
    this.#window.add(close)
    this.#heldBars = position === 0 ? 0 : this.#heldBars + 1
  }

  /** Returns the side to hold, or null for as it is; a close is judged by the window before it. */
  #wish(close: number, position: number): -1 | 0 | 1 | null {
    if (!this.#window.isFull) return null
    const score = this.#window.score(close)
    if (position !== 0) return this.#isOver(score, position) ? 0 : null
    if (Math.abs(score) < this.#entry) return null
    const away = Math.abs(close - this.#window.mean())
    if (away < this.#edge * close) return null
    return score > 0 ? -1 : 1
  }

  #isOver(score: number, position: number): boolean {
    if (this.#heldBars >= this.#maxHold) return true
    return position > 0 ? score >= -this.#exit : score <= this.#exit
  }
}
