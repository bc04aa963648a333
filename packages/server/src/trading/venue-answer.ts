import type { DeskHost } from '#runtime/desk-host.ts'

/** Longer than a venue usually takes, shorter than a person's patience. */
const PATIENCE_MS = 1000

/**
 * Waits until the venue has answered, so that the list which is asked for next shows it (CALL-15). Says whether it
 * did; the command itself is already in the journal either way.
 */
export async function awaitVenue(desk: DeskHost, hasAnswered: () => boolean): Promise<boolean> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true
      resolve()
    }, PATIENCE_MS)
  })
  while (!hasAnswered() && !isLate) await Promise.race([desk.changed(), late])
  clearTimeout(timer)
  return hasAnswered()
}
