import { defaultScheduler, notifyManager } from '@tanstack/react-query'

type Schedule = (write: () => void) => void

const FRAME_MS = 16
/** Short enough for an event to be painted within 250 ms. */
const MAX_PAUSE_MS = 100
/** With the 100 ms in which the server gathers quotes, one is shown within 250 ms. */
const MARKET_PERIOD_MS = 150

/** Once per painted frame; a hidden page is not painted, so there a timer counts. */
export const paintSoon = createPaintSoon()

export const paintMarket = createPaintMarket()

/** STREAM-262: what takes longer than a frame is followed by a pause of the same length, in which scrolling is painted. */
export function createPaintSoon(): Schedule {
  let pausedUntil = 0
  const paint: Schedule = (write) => {
    if (document.visibilityState === 'hidden') setTimeout(write, 250)
    else requestAnimationFrame(() => onFrame(write))
  }
  const onFrame: Schedule = (write) => {
    const startMs = performance.now()
    if (startMs < pausedUntil) {
      paint(write)
      return
    }
    // The timer fires once the frame is painted.
    setTimeout(() => {
      const now = performance.now()
      if (now - startMs > FRAME_MS) pausedUntil = now + Math.min(now - startMs, MAX_PAUSE_MS)
    })
    renderAtOnce(write)
  }
  return paint
}

/**
 * STREAM-282: market data is written once per period. It is written before a frame and not in it, since a chart draws in
 * the frame that follows: so chart and figures share one.
 */
export function createPaintMarket(): Schedule {
  let nextAt = 0
  return (write) => {
    setTimeout(
      () => {
        const startMs = performance.now()
        nextAt = startMs + MARKET_PERIOD_MS
        renderAtOnce(write)
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
function renderAtOnce(write: () => void): void {
  notifyManager.setScheduler(queueMicrotask)
  try {
    notifyManager.batch(write)
  } finally {
    notifyManager.setScheduler(defaultScheduler)
  }
}
