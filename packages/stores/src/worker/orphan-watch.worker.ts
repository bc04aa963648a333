/**
 * Kills this process when its server was killed. Runs on its own thread, because a statement may block the main one.
 */
const CHECK_INTERVAL_MS = 500

const server = process.ppid

setInterval(() => {
  if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
}, CHECK_INTERVAL_MS)
