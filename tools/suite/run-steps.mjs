import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { run } from '../launch/child.mjs'
import { nodeOf } from '../launch/project.mjs'
import { PROGRAMS } from '../prerequisites.mjs'
import { REPORTS } from './steps.mjs'
import { countCheck, countTests } from './test-results.mjs'

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {import('./summary.mjs').Result} Result */
/** @typedef {{ env: NodeJS.ProcessEnv, missing: string[], mayBeMissing: boolean }} Machine */

/**
 * Runs the steps in order. A failed one does not stop the others, except those that build on it.
 * @param {string} root
 * @param {readonly Step[]} steps
 * @param {Machine} machine
 */
export async function runSteps(root, steps, machine) {
  /** @type {Result[]} */
  const results = []
  if (machine.missing.length > 0) {
    for (const sentence of machine.missing) console.error(sentence)
    if (!machine.mayBeMissing)
      results.push({ name: 'machine', outcome: 'failed', seconds: 0, counts: countCheck(false) })
  }
  for (const step of steps) {
    if (isPointless(step, results, machine)) results.push(notRun(step))
    else results.push(await runStep(root, step, machine))
  }
  return results
}

/**
 * @param {string} root
 * @param {Step} step
 * @param {Machine} machine
 * @returns {Promise<Result>}
 */
async function runStep(root, step, machine) {
  console.log(`\n── ${step.name} ──`)
  const report = step.report === undefined ? undefined : freshReport(root, step.report)
  const env = {
    ...process.env,
    ...machine.env,
    ...(report === undefined ? {} : { PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    PATH: [dirname(nodeOf(root)), process.env.PATH].join(delimiter),
    // Steps start Node again and again, on the same sources.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  }
  const started = performance.now()
  let succeeded = true
  for (const command of step.commands) {
    const { code } = await run(nodeOf(root), command, { cwd: root, env, output: 'shown' })
    succeeded = succeeded && code === 0
  }
  const seconds = (performance.now() - started) / 1000
  const counts = step.report && report ? countTests(step.report, report, succeeded) : countCheck(succeeded)
  return { name: step.name, outcome: counts.failed === 0 ? 'passed' : 'failed', seconds, counts }
}

/**
 * The file a runner writes its counts to, without those of an earlier run.
 * @param {string} root
 * @param {keyof typeof REPORTS} runner
 */
function freshReport(root, runner) {
  const file = join(root, REPORTS[runner])
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  return file
}

/**
 * @param {Step} step
 * @param {Result[]} results
 * @param {Machine} machine
 */
function isPointless(step, results, machine) {
  const lacksGround = results.some((result) => result.name === step.after && result.outcome !== 'passed')
  const lacksProgram = step.needsAll === true && step.needs?.some((id) => !machine.env[PROGRAMS[id].variable])
  return lacksGround || lacksProgram === true
}

/**
 * @param {Step} step
 * @returns {Result}
 */
function notRun({ name }) {
  return { name, outcome: 'not run', seconds: 0, counts: { passed: 0, failed: 0, skipped: 0 } }
}
