import { defaultScheduler, notifyManager } from '@tanstack/react-query'

/** Once per painted frame; a hidden page is not painted, so there a timer counts. */
export function paintSoon(write: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(write, 250)
  else requestAnimationFrame(() => writeInFrame(write))
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
