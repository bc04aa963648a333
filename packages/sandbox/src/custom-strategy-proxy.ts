import {
  INTERVAL_MS,
  type Instrument,
  type InstrumentId,
  type Instruments,
  type Interval,
  idFrom,
  type OwnOrder,
  type Settings,
  type Strategy,
  type StrategyBar,
  type StrategyContext,
  type StrategyId,
} from '@binnacle/engine'
import type {
  BarMessage,
  DeskSnapshot,
  InstrumentSpec,
  OrderSnapshot,
  StrategyUpdate,
} from '#child/protocol.ts'

/** The settings a custom strategy runs with. */
export interface CustomTerms {
  readonly module: string
  readonly instruments: readonly InstrumentSpec[]
  readonly intervalMs: number
  readonly parameters: Readonly<Record<string, unknown>>
}

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
    const traded = settings.list('instruments').map((name) => instruments.get(idFrom(name)))
    this.instruments = traded.map(({ id }) => id)
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('warm_up_bars')
    this.#onUpdate = onUpdate
    this.terms = {
      module: settings.text('module'),
      instruments: traded.map(specOf),
      intervalMs: INTERVAL_MS[this.interval],
      parameters: settings.json('parameters'),
    }
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
      orders: desk.orders().flatMap((order) => this.#orderSnapshot(order)),
    }
  }

  /** An order from earlier settings may be of an instrument that is not traded any more. */
  #orderSnapshot({ id, terms, price, quantity, filled }: OwnOrder): OrderSnapshot[] {
    const slot = this.instruments.indexOf(terms.instrument)
    return slot < 0 ? [] : [{ id, slot, side: terms.side, price, quantity, filled }]
  }
}

function specOf({ id, venue, base, quote, tick, lot, minQuantity }: Instrument): InstrumentSpec {
  const sizes = { tickUnits: tick.unitCount, lotUnits: lot.unitCount, minLots: minQuantity }
  return { id, venue, base, quote, ...sizes }
}
