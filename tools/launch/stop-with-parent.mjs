// Loaded before the server. A killed parent cannot pass a signal on; the closed channel is then the only sign,
// and the server exits as on SIGTERM.
process.on('disconnect', () => {
  if (!process.emit('SIGTERM')) process.exit(0)
})
process.channel?.unref()
