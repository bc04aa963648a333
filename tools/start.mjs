import './launch/check-node.mjs'
import { stopRunning } from './launch/child.mjs'
import { install } from './launch/install.mjs'
import { ROOT } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { runServer } from './launch/server.mjs'
import { onStopSignal } from './launch/signals.mjs'
import { buildSite } from './launch/site.mjs'

let stop = stopBeforeServing
onStopSignal(() => stop())

await endWithSentence(async () => {
  await install(ROOT)
  await buildSite(ROOT, process.env)
  const server = runServer(ROOT, { env: process.env })
  stop = server.stop
  process.exitCode = await server.exitCode
})

function stopBeforeServing() {
  stopRunning()
  process.exit(0)
}
