import { defaultScheduler, notifyManager } from '@tanstack/react-query'

type Schedule = (write: () => void) => void

const FRAME_MS = 16
const HIDDEN_PAGE_DELAY_MS = 250
/** Short enough for an event to be painted within 250 ms. */
const MAX_PAUSE_MS = 100
/** With the 100 ms in which the server gathers quotes, one is shown within 250 ms. */
const MARKET_PERIOD_MS = 150

/** Writes once per painted frame, or by a timer on a hidden page, which is not painted. */
export const scheduleFrameWrite = createFrameScheduler()

/** Writes the market data of a period at once. */
export const scheduleMarketWrite = createMarketScheduler()

/** STREAM-262: what takes longer than a frame is followed by a pause of the same length, in which scrolling is painted. */
export function createFrameScheduler(): Schedule {
  let pausedUntil = 0
  const schedule: Schedule = (write) => {
    if (document.visibilityState === 'hidden') setTimeout(write, HIDDEN_PAGE_DELAY_MS)
    else requestAnimationFrame(() => onFrame(write))
  }
  const onFrame: Schedule = (write) => {
    const startMs = performance.now()
    if (startMs < pausedUntil) {
      schedule(write)
      return
    }
    // The timer fires once the frame is painted.
    setTimeout(() => {
      const now = performance.now()
      if (now - startMs > FRAME_MS) pausedUntil = now + Math.min(now - startMs, MAX_PAUSE_MS)
    })
    writeInOneRender(write)
  }
  return schedule
}

/**
 * STREAM-282: market data is written once per period. It is written before a frame and not in it, since a chart draws in
 * the frame that follows: so chart and figures share one.
 */
export function createMarketScheduler(): Schedule {
  let nextAt = 0
  return (write) => {
    setTimeout(
      () => {
        const startMs = performance.now()
        nextAt = startMs + MARKET_PERIOD_MS
        writeInOneRender(write)
        // Not on a hidden page, which has no frames.
        requestAnimationFrame(() =>
          setTimeout(() => {
            const now = performance.now()
            nextAt = Math.max(nextAt, now + Math.min(now - startMs, MAX_PAUSE_MS))
          }),
        )
      },
      Math.max(0, nextAt - performance.now()),
    )
  }
}

/** STREAM-57: by default screens render after a timer, which is after this frame and costs the next one another layout. */
function writeInOneRender(write: () => void): void {
  notifyManager.setScheduler(queueMicrotask)
  try {
    notifyManager.batch(write)
  } finally {
    notifyManager.setScheduler(defaultScheduler)
  }
}
