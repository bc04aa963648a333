import type {
  InstrumentId,
  Instruments,
  Interval,
  Settings,
  Strategy,
  StrategyBar,
  StrategyContext,
  StrategyId,
} from '@binnacle/engine'
import { idFrom } from '@binnacle/engine'
import type { BarMessage, DeskSnapshot, StrategyUpdate } from '#child/protocol.ts'
import { type CustomTerms, readTerms, snapshotOrders } from './custom-terms.ts'

const EMPTY_SNAPSHOT: DeskSnapshot = { bids: [], asks: [], positions: [], orders: [] }

/**
 * Stands for a custom strategy inside the engine. It only collects updates; they are sent to the module's process, whose
 * intents come back as a command.
 */
export class CustomStrategyProxy implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly warmUpBars: number
  readonly terms: CustomTerms
  readonly #onUpdate: (proxy: CustomStrategyProxy) => void
  #warmUp: BarMessage[] = []
  #bars: BarMessage[] = []
  #quotedSlots = new Set<number>()
  #desk: StrategyContext | null = null
  #isLive = false
  #count = 0

  constructor(settings: Settings, instruments: Instruments, onUpdate: (proxy: CustomStrategyProxy) => void) {
    this.terms = readTerms(settings, instruments)
    this.instruments = this.terms.instruments.map(({ id }) => idFrom(id))
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('warm_up_bars')
    this.#onUpdate = onUpdate
  }

  /** Null until the first update. */
  get strategy(): StrategyId | null {
    return this.#desk?.strategy ?? null
  }

  onBar(bar: StrategyBar, desk: StrategyContext): void {
    this.#count += 1
    if (this.#mayTrade(desk)) this.#bars.push({ ...bar })
    else this.#warmUp.push({ ...bar })
    this.#note(desk)
  }

  onQuote(slot: number, desk: StrategyContext): void {
    if (!this.#mayTrade(desk)) return
    this.#quotedSlots.add(slot)
    this.#note(desk)
  }

  /** Returns the updates since the last call, warm-up bars first, with the desk as it is now. */
  take(): StrategyUpdate[] {
    const updates: StrategyUpdate[] = []
    const last = this.#warmUp.at(-1)
    if (last !== undefined) {
      const now = last.start + this.terms.intervalMs
      updates.push({ now, isLive: false, bars: this.#warmUp, quotedSlots: [], desk: EMPTY_SNAPSHOT })
    }
    if (this.#desk !== null && this.#isLive) {
      const { now } = this.#desk
      const desk = this.#deskSnapshot(this.#desk)
      updates.push({ now, isLive: true, bars: this.#bars, quotedSlots: [...this.#quotedSlots], desk })
    }
    this.#warmUp = []
    this.#bars = []
    this.#quotedSlots.clear()
    this.#isLive = false
    return updates
  }

  #note(desk: StrategyContext): void {
    this.#desk = desk
    this.#isLive ||= this.#mayTrade(desk)
    this.#onUpdate(this)
  }

  /** Until the warm-up is complete, live bars count as warm-up bars. */
  #mayTrade(desk: StrategyContext): boolean {
    return desk.isLive && this.#count >= this.warmUpBars
  }

  #deskSnapshot(desk: StrategyContext): DeskSnapshot {
    const slots = this.instruments.map((_id, slot) => slot)
    return {
      bids: slots.map((slot) => desk.bid(slot)),
      asks: slots.map((slot) => desk.ask(slot)),
      positions: slots.map((slot) => desk.position(slot)),
      orders: snapshotOrders(desk.orders(), this.instruments),
    }
  }
}
