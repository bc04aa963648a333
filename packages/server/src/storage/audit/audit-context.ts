/** The part of an audit record that is known before the change is made: who does what, from where. */
export interface AuditContext {
  /** The user; 'local' is the person at this machine: there is no sign-in yet. */
  actor: string
  role: string
  /** The client's address; null for the server's own actions. */
  address: string | null
  /** The id of the call, such as 'settings.update'. */
  action: string
  requestId: string | null
}

/** What changed on one entity. Null `before`: created; null `after`: deleted. */
export interface AuditChange {
  /** The kind of thing, such as 'setting'. */
  entity: string
  /** Which one: its key or id. */
  target: string
  before: unknown
  after: unknown
}

/** A change that is not in the audit log yet. */
export interface PendingRecord {
  audit: AuditContext
  change: AuditChange
  at: Date
}

/** The context of the server's own actions, such as a scheduled task. */
export function serverAuditContext(action: string): AuditContext {
  return { actor: 'server', role: 'server', address: null, action, requestId: null }
}
