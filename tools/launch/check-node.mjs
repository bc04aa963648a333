// Imported first by every command. Only syntax that old versions can read, so that they reach the message.
const OLDEST = 18

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(`Binnacle needs Node ${OLDEST} or later to start; this is Node ${process.versions.node}.`)
  process.exit(1)
}
