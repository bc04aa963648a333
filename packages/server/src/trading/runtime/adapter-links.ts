import type { JournalEntry, LinkSettings, LinkStatus, TestStep, VenueId } from '@binnacle/engine'

/** The connections to venues, in the engine thread. */
export interface AdapterLinks {
  /** Empty while the engine restarts. */
  list(): Promise<readonly LinkStatus[]>
  /** Applied at once and after every restart of the engine. Without it the console does not configure the adapters. */
  configure?(venue: VenueId, settings: LinkSettings): void
  /** Null if the engine restarts meanwhile. */
  test(venue: VenueId): Promise<readonly TestStep[] | null>
}

type Note = LinkStatus['log'][number]

const MAX_NOTES = 10

/** What reconciliations found, from the journal, for the log of each connection. */
export class ReconciliationNotes {
  readonly #notes = new Map<VenueId, readonly Note[]>()

  apply({ at, events }: JournalEntry): void {
    for (const event of events) {
      if (event.type !== 'VenueReconciled') continue
      const { venue, orders, positions, differences } = event
      const agreed = differences.length === 0 ? 'all agree' : differences.join(' ')
      const text = `Reconciled ${count(orders, 'working order')} and ${count(positions, 'position')}: ${agreed}${differences.length === 0 ? '.' : ''}`
      this.#notes.set(venue, [{ at, text }, ...(this.#notes.get(venue) ?? [])].slice(0, MAX_NOTES))
    }
  }

  addTo(links: readonly LinkStatus[]): LinkStatus[] {
    return links.map((link) => ({
      ...link,
      log: [...link.log, ...(this.#notes.get(link.venue) ?? [])].toSorted((one, other) => other.at - one.at),
    }))
  }
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`
}
