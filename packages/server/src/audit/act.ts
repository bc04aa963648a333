/** Who does what: all of an audit line that is known before the change is made. */
export interface Act {
  /** The user; 'local' is whoever sits at this machine, until there is sign-in. */
  actor: string
  role: string
  /** Where the request came from; none for what the server does by itself. */
  address: string | null
  /** The id of the call, such as 'settings.update'. */
  action: string
  requestId: string | null
}

/** What an act did to one thing. Null before means that it was created, null after that it is gone. */
export interface Deed {
  /** The kind of thing, such as 'setting'. */
  entity: string
  /** Which one: its key or id. */
  target: string
  before: unknown
  after: unknown
}

/** An act and what it did, of which the log has no line yet. */
export interface DueLine {
  act: Act
  deed: Deed
  at: Date
}

/** The server's own acts, such as a scheduled task. */
export function actOfServer(action: string): Act {
  return { actor: 'server', role: 'server', address: null, action, requestId: null }
}
