import { type Clock, instant } from '@binnacle/engine'

/** How fast time goes while the machine's clock is behind what was already told. */
const CATCHING_UP_PACE = 0.5

/**
 * The machine's time, which never goes back and never stands still: when the machine's clock is set back, time goes on
 * at half its pace until the clock has caught up. A market, a fill or a cancel that waits for an instant waits no hour.
 */
export function createWallClock(machineMs: () => number, elapsedMs: () => number): Clock {
  let last = machineMs()
  let lastElapsed = elapsedMs()
  return {
    now() {
      const elapsed = elapsedMs()
      last = Math.max(machineMs(), last + (elapsed - lastElapsed) * CATCHING_UP_PACE)
      lastElapsed = elapsed
      return instant(Math.floor(last))
    },
  }
}

export const wallClock = createWallClock(Date.now, () => performance.now())
