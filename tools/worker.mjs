import './launch/check-node.mjs'
import { stopRunning } from './launch/child.mjs'
import { install } from './launch/install.mjs'
import { ROOT } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { runServer } from './launch/server.mjs'
import { onStopSignal } from './launch/signals.mjs'

/** Runs backtests for a server on another machine. */
const SOURCE = 'trading/backtests/remote/worker-command.ts'

let stop = stopBeforeWorking
onStopSignal(() => stop())

await endWithSentence(async () => {
  await install(ROOT)
  const worker = runServer(ROOT, { env: process.env, source: SOURCE })
  stop = worker.stop
  process.exitCode = await worker.exitCode
})

function stopBeforeWorking() {
  stopRunning()
  process.exit(0)
}
