import type { Desk } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'

/** CALL-60: the journal entry and the time of a reply that is read from the views. */
export function asOf({ views }: Pick<Desk, 'views'>) {
  return { journal_seq: views.revision, as_of: isoTime(Date.now()) }
}

/** The history is written about ten times a second. */
const POLL_MS = 20
const MAX_WAIT_MS = 500

/**
 * The same for a reply that is read from the order history. Waits until the history has caught up with the views, so that
 * a fill that was answered is in the list; on a failing disk it says how far it goes.
 */
export async function asOfHistory({ views, orderHistory }: Pick<Desk, 'views' | 'orderHistory'>) {
  const { revision } = views
  for (let waited = 0; orderHistory.position().seq < revision && waited < MAX_WAIT_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return { journal_seq: orderHistory.position().seq, as_of: isoTime(Date.now()) }
}
