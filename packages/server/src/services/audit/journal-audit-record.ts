import type { Event, EventType, Instruments, JournalEntry, TradingStateReason } from '@binnacle/engine'
import { type AuditChange, type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { AuditRecord } from './audit-rule.ts'
import { AUDIT_RULES } from './journal-audit-rules.ts'

/** The audit records of a journal entry: a person's action, and a change of the trading state that nobody requested. */
export function recordsOfEntry(entry: JournalEntry, instruments: Instruments): PendingRecord[] {
  return [requestedRecord(entry, instruments), automaticRecord(entry)].filter(
    (record) => record !== undefined,
  )
}

/** CALL-66: trading stopped itself, or a limit was reached. */
function automaticRecord({ seq, at, events }: JournalEntry): PendingRecord | undefined {
  for (const event of events) {
    if (event.type !== 'TradingStateChanged' || event.reason.code === 'asked') continue
    const { from, to, reason } = event
    return {
      audit: serverAuditContext(reason.code === 'daily-loss' ? 'risk.limitReached' : 'desk.halt'),
      change: {
        entity: 'trading-state',
        target: 'desk',
        before: { state: from },
        after: { state: to, ...describeCause(reason), journal_entry: seq },
      },
      at: new Date(at),
    }
  }
  return undefined
}

function describeCause(reason: TradingStateReason) {
  if (reason.code !== 'daily-loss') return { reason }
  const { loss, limit } = reason
  return { limit: 'max_daily_loss', value: loss, threshold: limit }
}

/** Undefined for an entry that no person requested. */
function requestedRecord(entry: JournalEntry, instruments: Instruments): PendingRecord | undefined {
  const { by, requestId, events } = entry
  if (by === null || !isRequested(entry)) return undefined
  const { action, sourceEvent, ...change } = recordOfEvents(events, instruments) ?? unmatchedRecord(entry)
  const origin = entry.origin ?? { action, role: 'unknown', address: null }
  return {
    audit: { actor: by, role: origin.role, address: origin.address, action: origin.action, requestId },
    change: { ...change, ...subjectOf(entry), after: withTraces(change.after, entry, sourceEvent) },
    at: new Date(entry.at),
  }
}

/** Old entries have no origin. At that time there was one user, 'local'; the server used other names. */
function isRequested({ by, origin }: JournalEntry): boolean {
  return origin !== undefined || by === 'local'
}

interface EventRecord extends AuditRecord {
  sourceEvent: EventType
}

/** The first event with a record describes the action; the others followed from it. */
function recordOfEvents(events: readonly Event[], instruments: Instruments): EventRecord | undefined {
  for (const event of events) {
    // The table's entry for a type takes exactly that type's event.
    const rule = AUDIT_RULES[event.type] as (
      event: Event,
      instruments: Instruments,
      all: readonly Event[],
    ) => AuditRecord
    const record = rule(event, instruments, events)
    if (record !== undefined) return { ...record, sourceEvent: event.type }
  }
  return undefined
}

/** An entry without a matching rule still gets a record. */
function unmatchedRecord({ seq, events }: JournalEntry): EventRecord {
  const [first] = events
  return {
    action: 'desk.act',
    entity: 'journal-entry',
    target: String(seq),
    before: null,
    after: {},
    sourceEvent: first?.type ?? 'DeskOpened',
  }
}

/** A close is recorded through its order, but its subject is the position. */
function subjectOf({ origin }: JournalEntry): Partial<AuditChange> {
  return origin?.position === undefined ? {} : { entity: 'position', target: origin.position }
}

/** Adds the journal entry's number and the counts of the other events by type. */
function withTraces(
  after: AuditChange['after'],
  { seq, events }: JournalEntry,
  sourceEvent: EventType,
): unknown {
  const also: Partial<Record<EventType, number>> = {}
  for (const { type } of events) if (type !== sourceEvent) also[type] = (also[type] ?? 0) + 1
  const isAlone = Object.keys(also).length === 0
  return { ...Object(after), journal_entry: seq, ...(!isAlone && { also }) }
}
