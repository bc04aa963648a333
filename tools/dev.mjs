import './launch/check-node.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { install } from './launch/install.mjs'
import { nodeOf, ROOT } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { runServer } from './launch/server.mjs'
import { onStopSignal } from './launch/signals.mjs'

await endWithSentence(async () => {
  await install(ROOT)
  const server = runServer(ROOT, {
    env: { BINNACLE_SITE: 'none', ...process.env },
    nodeArgs: ['--watch', '--watch-preserve-output'],
  })
  const site = spawn(nodeOf(ROOT), [join(ROOT, 'tools', 'dev-site.ts')], { cwd: ROOT, stdio: 'inherit' })
  const stop = () => {
    server.stop()
    site.kill('SIGTERM')
  }
  onStopSignal(stop)
  site.on('exit', stop)
  await server.exitCode
  stop()
})
