// Loaded before the server. Its parent may be killed without a chance to pass the signal on;
// the closed channel then is the only sign, and the server ends as on SIGTERM instead of living on unseen.
process.on('disconnect', () => {
  if (!process.emit('SIGTERM')) process.exit(0)
})
process.channel?.unref()
