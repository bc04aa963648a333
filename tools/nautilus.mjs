import './launch/check-node.mjs'
import { join } from 'node:path'
import { stopRunning } from './launch/child.mjs'
import { ROOT, Stop } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { onStopSignal } from './launch/signals.mjs'
import { ensureEnvironment } from './nautilus/environment.mjs'

onStopSignal(() => {
  stopRunning()
  process.exit(130)
})

await endWithSentence(async () => {
  const [command] = process.argv.slice(2)
  if (command !== 'setup') throw new Stop('Usage: npm run nautilus -- setup')
  const data = process.env.BINNACLE_DATA || join(ROOT, 'data')
  const environment = await ensureEnvironment(ROOT, join(data, 'nautilus'), process.env, (line) =>
    console.log(line),
  )
  if ('missing' in environment) throw new Stop(`NautilusTrader is not installed: ${environment.missing}.`)
  console.log(`NautilusTrader is installed. Its Python is ${environment.python}.`)
})
