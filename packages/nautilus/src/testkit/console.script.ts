import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openCommandJournal } from '#command-journal.ts'
import { type CommandRequest, NodeClient } from '#node-client.ts'

/**
 * A console in a process of its own, which tests kill: `console.script.ts SOCKET JOURNAL`. It takes commands as lines of
 * JSON and prints the outcome of each; 'ready' is printed when it follows the node and knows the outcome of all earlier ones.
 */
const [path = '', file = ''] = process.argv.slice(2)
const client = new NodeClient({ address: { kind: 'socket', path }, journal: await openCommandJournal(file) })
const isReady = () =>
  client.status.state === 'current' && client.status.isWriter && client.unknown.length === 0
const stop = client.onChange(() => {
  if (!isReady()) return
  stop()
  print({ ready: true })
})
createInterface(process.stdin).on('line', async (line) => {
  // Only tests write these lines.
  const command = JSON.parse(line) as CommandRequest
  print({ id: command.id, outcome: await client.request(command) })
})

/** A printed line reaches its reader also when this process is killed right after it. */
function print(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}
