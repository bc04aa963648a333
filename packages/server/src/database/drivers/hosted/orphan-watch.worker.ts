/**
 * On a thread of its own, since a statement may keep the main one busy for ever: a process whose server was
 * killed must not go on working for nobody.
 */
const LOOK_MS = 500

const server = process.ppid

setInterval(() => {
  if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
