import type { Desk } from '@binnacle/engine'

/** Longer than a venue usually takes, short enough for a person to wait. */
const VENUE_WAIT_MS = 1000

/**
 * Waits until the venue has answered, so that the next list shows the result (CALL-15). Returns whether it did; the
 * command is in the journal either way.
 */
export async function awaitVenue(desk: Desk, hasAnswered: () => boolean): Promise<boolean> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true
      resolve()
    }, VENUE_WAIT_MS)
  })
  while (!hasAnswered() && !isLate) await Promise.race([desk.changed(), late])
  clearTimeout(timer)
  return hasAnswered()
}
