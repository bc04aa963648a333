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
  type StrategyDesk,
  type StrategyId,
} from '@binnacle/engine'
import type { BarTold, DeskTold, Heard, InstrumentTold, OrderTold } from './child/protocol.ts'

/** What a custom strategy is run with. */
export interface CustomTerms {
  readonly module: string
  readonly instruments: readonly InstrumentTold[]
  readonly intervalMs: number
  readonly parameters: Readonly<Record<string, unknown>>
}

const NOTHING: DeskTold = { bids: [], asks: [], positions: [], orders: [] }

/**
 * A custom strategy inside the engine: it only listens. What it heard is taken to the module's process, and what the
 * module wants comes back as a command.
 */
export class Hearing implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly warmUpBars: number
  readonly terms: CustomTerms
  readonly #onHeard: (hearing: Hearing) => void
  #past: BarTold[] = []
  #bars: BarTold[] = []
  #quoted = new Set<number>()
  #desk: StrategyDesk | null = null
  #isLive = false
  #count = 0

  constructor(settings: Settings, instruments: Instruments, onHeard: (hearing: Hearing) => void) {
    const traded = settings.list('instruments').map((name) => instruments.get(idFrom(name)))
    this.instruments = traded.map(({ id }) => id)
    this.interval = settings.interval('interval')
    this.warmUpBars = settings.number('warm_up_bars')
    this.#onHeard = onHeard
    this.terms = {
      module: settings.text('module'),
      instruments: traded.map(toldOf),
      intervalMs: INTERVAL_MS[this.interval],
      parameters: settings.json('parameters'),
    }
  }

  /** Known once it heard something. */
  get strategy(): StrategyId | null {
    return this.#desk?.strategy ?? null
  }

  onBar(bar: StrategyBar, desk: StrategyDesk): void {
    this.#count += 1
    if (this.#mayTrade(desk)) this.#bars.push({ ...bar })
    else this.#past.push({ ...bar })
    this.#note(desk)
  }

  onQuote(slot: number, desk: StrategyDesk): void {
    if (!this.#mayTrade(desk)) return
    this.#quoted.add(slot)
    this.#note(desk)
  }

  /** Returns what was heard since it was last taken, the past first, with the desk as it is now. */
  take(): Heard[] {
    const heard: Heard[] = []
    const last = this.#past.at(-1)
    if (last !== undefined) {
      const now = last.start + this.terms.intervalMs
      heard.push({ now, isLive: false, bars: this.#past, quoted: [], desk: NOTHING })
    }
    if (this.#desk !== null && this.#isLive) {
      const { now } = this.#desk
      const desk = this.#tellDesk(this.#desk)
      heard.push({ now, isLive: true, bars: this.#bars, quoted: [...this.#quoted], desk })
    }
    this.#past = []
    this.#bars = []
    this.#quoted.clear()
    this.#isLive = false
    return heard
  }

  #note(desk: StrategyDesk): void {
    this.#desk = desk
    this.#isLive ||= this.#mayTrade(desk)
    this.#onHeard(this)
  }

  /** Until it knows enough, the present is told as the past is. */
  #mayTrade(desk: StrategyDesk): boolean {
    return desk.isLive && this.#count >= this.warmUpBars
  }

  #tellDesk(desk: StrategyDesk): DeskTold {
    const slots = this.instruments.map((_id, slot) => slot)
    return {
      bids: slots.map((slot) => desk.bid(slot)),
      asks: slots.map((slot) => desk.ask(slot)),
      positions: slots.map((slot) => desk.position(slot)),
      orders: desk.orders().flatMap((order) => this.#tellOrder(order)),
    }
  }

  /** One of settings before these may still be on its way back from an instrument that is none of these. */
  #tellOrder({ id, terms, price, quantity, filled }: OwnOrder): OrderTold[] {
    const slot = this.instruments.indexOf(terms.instrument)
    return slot < 0 ? [] : [{ id, slot, side: terms.side, price, quantity, filled }]
  }
}

function toldOf({ id, venue, base, quote, tick, lot, minQuantity }: Instrument): InstrumentTold {
  const sizes = { tickUnits: tick.unitCount, lotUnits: lot.unitCount, minLots: minQuantity }
  return { id, venue, base, quote, ...sizes }
}
