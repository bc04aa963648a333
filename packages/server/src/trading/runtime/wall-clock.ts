import { type Clock, instantFromMs } from '@binnacle/engine'

/** Clock speed while the machine's clock is behind the time already returned. */
const CATCHING_UP_PACE = 0.5

/**
 * The machine's time, strictly advancing. When the machine's clock is set back, this clock runs at half speed until the
 * machine has caught up, so a fill or cancel that is due at an instant does not wait for an hour.
 */
export function createWallClock(machineMs: () => number, elapsedMs: () => number): Clock {
  let last = machineMs()
  let lastElapsed = elapsedMs()
  return {
    now() {
      const elapsed = elapsedMs()
      last = Math.max(machineMs(), last + (elapsed - lastElapsed) * CATCHING_UP_PACE)
      lastElapsed = elapsed
      return instantFromMs(Math.floor(last))
    },
  }
}

export const wallClock = createWallClock(Date.now, () => performance.now())
