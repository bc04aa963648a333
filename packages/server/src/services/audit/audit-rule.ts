import type { Event, EventType, Instruments } from '@binnacle/engine'
import type { AuditChange } from '#storage/audit/audit-context.ts'

/** A person's action, as derived from a journal event. */
export interface AuditRecord extends AuditChange {
  /** The call that leads to such an event. Used when the journal entry does not name its own. */
  action: string
}

export type AuditRules = { readonly [Type in EventType]: AuditRule<Type> }

export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>

/** Derives the audit record from an event and the other events of its entry; undefined for a mere consequence. */
type AuditRule<Type extends EventType> = (
  event: EventOf<Type>,
  instruments: Instruments,
  all: readonly Event[],
) => AuditRecord | undefined

/** The rule for events that no person requests. */
export function consequence(): undefined {
  return undefined
}

/** Secrets are masked by key, so a stored config is recorded as an object. */
export function parseConfig(config: string): unknown {
  return JSON.parse(config)
}
