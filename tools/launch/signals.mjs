/**
 * Calls back on each request to end: Ctrl-C, kill, a closed terminal.
 * @param {() => void} onStop
 */
export function onStopSignal(onStop) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onStop)
}
