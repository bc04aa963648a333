import { createInstruments, type Instruments } from '#market/instruments.ts'
import type { TimerFired } from '#model/input.ts'
import { VENUE_IDS, type VenueId } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { MarketTick } from '#model/tick.ts'
import { assert } from '#values/bug.ts'
import type { InstrumentId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { LinkSettings, LinkStatus, TestStep, VenueAdapter } from './adapter.ts'
import type { Latency } from './latency.ts'
import { SimulatedLink } from './simulated-link.ts'
import type { DeliverReports, ExpectedFill, VenueRequest } from './venue.ts'

export interface SimulatedAdaptersOptions {
  instruments: Instruments
  /** The latency of a venue's messages without faults; none if left out. */
  latencyOf?: (venue: VenueId) => Latency
}

/** Creates the adapters of the five simulated venues, each with a connection of its own. */
export function createSimulatedAdapters(options: SimulatedAdaptersOptions): VenueAdapter {
  return new SimulatedAdapters(options)
}

class SimulatedAdapters implements VenueAdapter {
  readonly #instruments: Instruments
  readonly #links: ReadonlyMap<VenueId, SimulatedLink>

  constructor({ instruments, latencyOf }: SimulatedAdaptersOptions) {
    this.#instruments = instruments
    this.#links = new Map(
      VENUE_IDS.map((venue) => {
        const own = createInstruments(instruments.all.filter((each) => each.venue === venue))
        return [
          venue,
          new SimulatedLink({ venue, instruments: own, ...(latencyOf && { latency: latencyOf(venue) }) }),
        ]
      }),
    )
  }

  send(message: VenueRequest, at: Instant): void {
    this.#linkOf(this.#venueOf(message)).send(message, at)
  }

  onReports(deliver: DeliverReports): void {
    for (const link of this.#links.values()) link.onReports(deliver)
  }

  observe(input: MarketTick | TimerFired): void {
    if (input.kind === 'tick') this.#linkFor(input.instrument).observe(input)
    else for (const link of this.#links.values()) link.observe(input)
  }

  estimate(terms: OrderTerms): readonly ExpectedFill[] | null {
    return this.#linkFor(terms.instrument).estimate(terms)
  }

  links(at: Instant): readonly LinkStatus[] {
    return [...this.#links.values()].map((link) => link.status(at))
  }

  configure(venue: VenueId, settings: LinkSettings, at: Instant): void {
    this.#linkOf(venue).configure(settings, at)
  }

  test(venue: VenueId): Promise<readonly TestStep[]> {
    return this.#linkOf(venue).test()
  }

  isListed(instrument: InstrumentId): boolean {
    return this.#linkFor(instrument).isListed(instrument)
  }

  #venueOf(message: VenueRequest): VenueId {
    if ('venue' in message) return message.venue
    if (message.type === 'submit') return this.#instruments.get(message.order.terms.instrument).venue
    if (message.type === 'change') return this.#instruments.get(message.change.terms.instrument).venue
    return this.#instruments.get(message.instrument).venue
  }

  #linkFor(instrument: InstrumentId): SimulatedLink {
    return this.#linkOf(this.#instruments.get(instrument).venue)
  }

  #linkOf(venue: VenueId): SimulatedLink {
    const link = this.#links.get(venue)
    assert(link !== undefined, 'no venue', venue)
    return link
  }
}
