import {
  type BarColumns,
  type ClosingQuotes,
  type Command,
  type Hosted,
  type InstrumentId,
  type Instruments,
  type Interval,
  idFrom,
  type Settings,
  type Strategy,
  type StrategyBar,
  type StrategyContext,
} from '@binnacle/engine'
import type { BarMessage, IntentMessage, OrderSnapshot } from '#child/protocol.ts'
import { type DeskSource, EMPTY_SOURCE, type StrategyCaller } from '#child/strategy-caller.ts'
import { type CustomTerms, readTerms, snapshotOrders } from '#custom-terms.ts'
import { toIntent } from '#intent.ts'

/** What a hosted strategy calls. */
export interface HostedModule {
  readonly caller: StrategyCaller
  /** Called after each update; throws if the module has failed meanwhile. */
  afterUpdate(now: number, intents: readonly IntentMessage[]): void
  /** Returns what to throw when a callback of the module has thrown. */
  failure(thrown: unknown): Error
}

/** Before every bar. */
const NONE = -1

/**
 * Stands for a custom strategy in a backtest that runs in the module's own process. It delivers what the lock-step way
 * delivers, one update at the end of each bar, and skips the engine in bars in which the module has no intents.
 */
export class HostedStrategy implements Strategy, Hosted {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly warmUpBars: number
  readonly terms: CustomTerms
  #module: HostedModule | null = null
  #context: StrategyContext | null = null
  /** The bars of the current step. */
  #warmUp: BarMessage[] = []
  #bars: BarMessage[] = []
  #count = 0
  /** Whether the module received the quotes of the current step, which come before its bars. */
  #isQuoted = false
  /** The start of the bar that `takeQuiet` has delivered and the engine has not, and the module's intents for it. */
  #aheadStart = NONE
  #aheadIntents: readonly IntentMessage[] = []
  readonly #row = new RowSource()
  isPaused = false

  constructor(settings: Settings, instruments: Instruments) {
    this.terms = readTerms(settings, instruments)
    this.instruments = this.terms.instruments.map(({ id }) => idFrom(id))
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('warm_up_bars')
  }

  attach(module: HostedModule): void {
    this.#module = module
  }

  onBar(bar: StrategyBar, context: StrategyContext): void {
    this.#context = context
    if (bar.start === this.#aheadStart) {
      this.#aheadStart = NONE
      return
    }
    if (this.#warmUp.length + this.#bars.length === 0) this.#isQuoted = this.#count >= this.warmUpBars
    this.#count += 1
    if (this.#count >= this.warmUpBars) this.#bars.push({ ...bar })
    else this.#warmUp.push({ ...bar })
  }

  get isWaiting(): boolean {
    return this.#warmUp.length + this.#bars.length + this.#aheadIntents.length > 0
  }

  answers(): readonly Command[] {
    const intents = this.#takeIntents()
    if (intents.length === 0 || this.#context === null) return []
    return [{ type: 'SubmitIntents', strategy: this.#context.strategy, intents: intents.map(toIntent) }]
  }

  takeQuiet(
    bars: BarColumns,
    from: number,
    to: number,
    context: StrategyContext,
    quotes: ClosingQuotes,
  ): number {
    this.#row.begin(context, quotes)
    for (let row = from; row < to; row++) {
      const intents = this.#deliverRow(bars, row)
      if (intents.length === 0 && !this.isPaused) continue
      this.#aheadStart = bars.start[row] ?? 0
      this.#aheadIntents = intents
      return row
    }
    return to
  }

  #takeIntents(): readonly IntentMessage[] {
    const ahead = this.#aheadIntents
    if (ahead.length > 0) {
      this.#aheadIntents = []
      return ahead
    }
    const warmUp = this.#warmUp
    const bars = this.#bars
    this.#warmUp = []
    this.#bars = []
    if (warmUp.length > 0) this.#deliverWarmUp(warmUp)
    return bars.length > 0 ? this.#deliver(bars) : []
  }

  #deliverWarmUp(bars: readonly BarMessage[]): void {
    const { caller, afterUpdate, failure } = this.#attached()
    const { intervalMs } = this.terms
    try {
      caller.begin(false, EMPTY_SOURCE)
      for (const bar of bars) caller.callBar(bar, bar.start + intervalMs)
    } catch (thrown) {
      throw failure(thrown)
    }
    afterUpdate((bars.at(-1)?.start ?? 0) + intervalMs, [])
  }

  #deliver(bars: readonly BarMessage[]): readonly IntentMessage[] {
    const { caller, afterUpdate, failure } = this.#attached()
    const context = this.#context
    if (context === null) return []
    try {
      caller.begin(true, new ContextSource(context, this.instruments))
      for (const bar of bars) caller.callBar(bar, context.now)
      if (this.#isQuoted) for (const { slot } of bars) caller.callQuote(slot)
    } catch (thrown) {
      throw failure(thrown)
    }
    afterUpdate(context.now, caller.take())
    return caller.take()
  }

  /** Delivers one row of the only instrument. No order works then and the position does not change. */
  #deliverRow(columns: BarColumns, row: number): readonly IntentMessage[] {
    const { caller, afterUpdate, failure } = this.#attached()
    const isQuoted = this.#count >= this.warmUpBars
    this.#count += 1
    const isLive = this.#count >= this.warmUpBars
    this.#row.row = row
    const bar = readBar(columns, row)
    const now = bar.start + this.terms.intervalMs
    try {
      caller.begin(isLive, isLive ? this.#row : EMPTY_SOURCE)
      caller.callBar(bar, now)
      if (isQuoted) caller.callQuote(0)
    } catch (thrown) {
      throw failure(thrown)
    }
    afterUpdate(now, caller.take())
    return caller.take()
  }

  #attached(): HostedModule {
    if (this.#module === null) throw new Error('the module is not loaded yet')
    return this.#module
  }
}

function readBar(columns: BarColumns, row: number): BarMessage {
  return {
    slot: 0,
    start: columns.start[row] ?? 0,
    open: columns.open[row] ?? 0,
    high: columns.high[row] ?? 0,
    low: columns.low[row] ?? 0,
    close: columns.close[row] ?? 0,
    volume: columns.volume[row] ?? 0,
  }
}

/** The desk at the close of a row that the engine does not play. */
class RowSource implements DeskSource {
  row = 0
  #quotes: ClosingQuotes | null = null
  #position = 0

  begin(context: StrategyContext, quotes: ClosingQuotes): void {
    this.#quotes = quotes
    this.#position = context.position(0)
  }

  bid(): number {
    return this.#quotes?.bid(this.row) ?? 0
  }

  ask(): number {
    return this.#quotes?.ask(this.row) ?? 0
  }

  position(): number {
    return this.#position
  }

  orders(): readonly OrderSnapshot[] {
    return []
  }
}

/** The desk as the engine has it. Nothing changes while the module runs. */
class ContextSource implements DeskSource {
  readonly #context: StrategyContext
  readonly #instruments: readonly InstrumentId[]

  constructor(context: StrategyContext, instruments: readonly InstrumentId[]) {
    this.#context = context
    this.#instruments = instruments
  }

  bid(slot: number): number {
    return this.#context.bid(slot)
  }

  ask(slot: number): number {
    return this.#context.ask(slot)
  }

  position(slot: number): number {
    return this.#context.position(slot)
  }

  orders(): readonly OrderSnapshot[] {
    return snapshotOrders(this.#context.orders(), this.#instruments)
  }
}
