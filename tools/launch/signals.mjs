const PARENT_LOOK_MS = 250

/**
 * Calls back on each request to end: Ctrl-C, kill, a closed terminal, or npm being gone.
 * @param {() => void} onStop
 */
export function onStopSignal(onStop) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onStop)
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(onStop)
}

/**
 * npm passes SIGTERM to the shell between it and us, and the shell dies without a word.
 * @param {() => void} onStop
 */
function whenOrphaned(onStop) {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    onStop()
  }, PARENT_LOOK_MS)
  look.unref()
}
