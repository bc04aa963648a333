import type { Event, EventType, Instruments, JournalEntry } from '@binnacle/engine'
import type { Deed, DueLine } from './act.ts'
import type { Told } from './telling.ts'
import { TELLINGS } from './trading-tellings.ts'

/** The line of the audit log that an entry of the journal is; none when nobody asked for it. */
export function lineOfEntry(entry: JournalEntry, instruments: Instruments): DueLine | undefined {
  const { by, requestId, events } = entry
  if (by === null || !isAsked(entry)) return undefined
  const { action, told, ...deed } = tellEntry(events, instruments) ?? untold(entry)
  const origin = entry.origin ?? { action, role: 'unknown', address: null }
  return {
    act: { actor: by, role: origin.role, address: origin.address, action: origin.action, requestId },
    deed: { ...deed, ...subjectOf(entry), after: withTraces(deed.after, entry, told) },
    at: new Date(entry.at),
  }
}

/** Before entries told their origin there was one user, and the server's own acts were told apart by name. */
function isAsked({ by, origin }: JournalEntry): boolean {
  return origin !== undefined || by === 'local'
}

interface ToldEvent extends Told {
  told: EventType
}

/** The act is told by the first event that tells one; the rest followed from it. */
function tellEntry(events: readonly Event[], instruments: Instruments): ToldEvent | undefined {
  for (const event of events) {
    // The table's entry for a type takes exactly that type's event.
    const tell = TELLINGS[event.type] as (
      event: Event,
      instruments: Instruments,
      all: readonly Event[],
    ) => Told
    const told = tell(event, instruments, events)
    if (told !== undefined) return { ...told, told: event.type }
  }
  return undefined
}

/** What no telling covers is still an act, and has its line. */
function untold({ seq, events }: JournalEntry): ToldEvent {
  const [first] = events
  return {
    action: 'desk.act',
    ...{ entity: 'journal-entry', target: String(seq), before: null, after: {} },
    told: first?.type ?? 'DeskOpened',
  }
}

/** A close is told by its order, but what was acted on is the position. */
function subjectOf({ origin }: JournalEntry): Partial<Deed> {
  return origin?.position === undefined ? {} : { entity: 'position', target: origin.position }
}

/** Where the act stands in the journal, and how many events of which kind it also led to. */
function withTraces(after: Deed['after'], { seq, events }: JournalEntry, told: EventType): unknown {
  const also: Partial<Record<EventType, number>> = {}
  for (const { type } of events) if (type !== told) also[type] = (also[type] ?? 0) + 1
  const isAlone = Object.keys(also).length === 0
  return { ...Object(after), journal_entry: seq, ...(!isAlone && { also }) }
}
