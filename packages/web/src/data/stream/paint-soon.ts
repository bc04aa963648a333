import { defaultScheduler, notifyManager } from '@tanstack/react-query'

const FRAME_MS = 16
/** Short enough for an event to be painted within 250 ms. */
const MAX_PAUSE_MS = 100

/** Once per painted frame; a hidden page is not painted, so there a timer counts. */
export const paintSoon = createPaintSoon()

/** STREAM-262: what takes longer than a frame is followed by a pause of the same length, in which scrolling is painted. */
export function createPaintSoon(): (write: () => void) => void {
  let pausedUntil = 0
  const paint = (write: () => void) => {
    if (document.visibilityState === 'hidden') setTimeout(write, 250)
    else requestAnimationFrame(() => onFrame(write))
  }
  const onFrame = (write: () => void) => {
    const begun = performance.now()
    if (begun < pausedUntil) {
      paint(write)
      return
    }
    // The timer fires once the frame is painted.
    setTimeout(() => {
      const now = performance.now()
      if (now - begun > FRAME_MS) pausedUntil = now + Math.min(now - begun, MAX_PAUSE_MS)
    })
    writeInFrame(write)
  }
  return paint
}

/** STREAM-57: by default screens render after a timer, which is after this frame and costs the next one another layout. */
function writeInFrame(write: () => void): void {
  notifyManager.setScheduler(queueMicrotask)
  try {
    notifyManager.batch(write)
  } finally {
    notifyManager.setScheduler(defaultScheduler)
  }
}
