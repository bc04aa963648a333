import './launch/check-node.mjs'
import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { stopRunning } from './launch/child.mjs'
import { install } from './launch/install.mjs'
import { ROOT, Stop } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { onStopSignal } from './launch/signals.mjs'
import { PROGRAMS, prepareMachine } from './prerequisites.mjs'
import { runSteps } from './suite/run-steps.mjs'
import { createScratchFolder } from './suite/scratch-folder.mjs'
import { chooseSteps, STEPS } from './suite/steps.mjs'
import { sum, summarise } from './suite/summary.mjs'

// Store workers and custom strategies lower their priority to this. Beside steps of a higher one they would wait for
// seconds on a busy machine, and run into their limits.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

onStopSignal(() => {
  stopRunning()
  process.exit(130)
})

await endWithSentence(async () => {
  const { values, positionals } = parseArgs({
    options: { full: { type: 'boolean' } },
    allowPositionals: true,
  })
  // The steps inherit it; tools/suite/counts.mjs reads it.
  if (values.full) process.env.BINNACLE_TEST_TIER = 'full'
  const { steps, unknown } = chooseSteps(positionals)
  if (unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(', ')
    throw new Stop(`There is no step called ${unknown.join(' or ')}; the steps are ${known}.`)
  }
  await install(ROOT)
  const needs = new Set(steps.flatMap((step) => step.needs ?? []))
  const machine = await prepareMachine(
    [...needs].map((id) => PROGRAMS[id]),
    process.env,
  )
  process.env.TMPDIR = createScratchFolder()
  const results = await runSteps(ROOT, steps, machine)
  console.log(summarise(results))
  process.exitCode = sum(results, 'failed') === 0 ? 0 : 1
})
