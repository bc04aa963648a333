import type { Desk } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'

/** CALL-60: the journal entry and the time of a reply that is read from the rows. */
export function asOf({ rows }: Pick<Desk, 'rows'>) {
  return { journal_seq: rows.revision, as_of: isoTime(Date.now()) }
}

/** The history is written about ten times a second. */
const POLL_MS = 20
const MAX_WAIT_MS = 500

/**
 * The same for a reply that is read from the order history. Waits until the history has caught up with the rows, so that
 * a fill that was answered is in the list; on a failing disk it says how far it goes.
 */
export async function asOfHistory({ rows, pastOrders }: Pick<Desk, 'rows' | 'pastOrders'>) {
  const { revision } = rows
  for (let waited = 0; pastOrders.position().seq < revision && waited < MAX_WAIT_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return { journal_seq: pastOrders.position().seq, as_of: isoTime(Date.now()) }
}
