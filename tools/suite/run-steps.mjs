import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { run } from '../launch/child.mjs'
import { nodeOf } from '../launch/project.mjs'
import { PROGRAMS } from '../prerequisites.mjs'
import { createOutputQueue } from './output-queue.mjs'
import { reportFile } from './steps.mjs'
import { countCheck, readResults } from './test-results.mjs'

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {import('./summary.mjs').Result} Result */
/** @typedef {{ env: NodeJS.ProcessEnv, missing: string[], mayBeMissing: boolean }} Machine */

/**
 * Runs the lanes beside one another, and the steps of a lane in order. A failed step does not stop the others, except
 * those that build on it. The results and the output come in the order of the steps.
 * @param {string} root
 * @param {readonly Step[]} steps
 * @param {Machine} machine
 */
export async function runSteps(root, steps, machine) {
  const writers = createOutputQueue((chunk) => process.stdout.write(chunk), steps.length)
  /** @type {Result[]} */
  const results = []
  const lanes = new Set(steps.map(laneOf))
  const runLane = async (/** @type {string} */ lane) => {
    for (const [index, step] of steps.entries()) {
      if (laneOf(step) !== lane) continue
      const writer = writers[index]
      const output = lanes.size === 1 ? undefined : writer?.write
      const result = isPointless(step, results, machine)
        ? notRun(step)
        : await runStep(root, step, machine, output)
      results[index] = result
      writer?.end()
    }
  }
  const broken = reportMissing(machine)
  await Promise.all([...lanes].map(runLane))
  return [...broken, ...results]
}

/** @param {Step} step */
function laneOf({ lane = '' }) {
  return lane
}

/**
 * @param {Machine} machine
 * @returns {Result[]}
 */
function reportMissing({ missing, mayBeMissing }) {
  for (const sentence of missing) console.error(sentence)
  if (missing.length === 0 || mayBeMissing) return []
  return [{ name: 'machine', outcome: 'failed', seconds: 0, counts: countCheck(false), failures: [] }]
}

/**
 * @param {string} root
 * @param {Step} step
 * @param {Machine} machine
 * @param {((chunk: Buffer | string) => void) | undefined} output undefined for a step that has the terminal to itself
 * @returns {Promise<Result>}
 */
async function runStep(root, step, machine, output) {
  const title = `\n── ${step.name} ──`
  if (output === undefined) console.log(title)
  else output(`${title}\n`)
  const report = step.report === undefined ? undefined : freshReport(root, step.name)
  const env = {
    ...process.env,
    ...(output !== undefined && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    ...machine.env,
    ...(report === undefined ? {} : { PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    PATH: [dirname(nodeOf(root)), process.env.PATH].join(delimiter),
    // Steps start Node again and again, on the same sources.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  }
  const started = performance.now()
  let succeeded = true
  for (const command of step.commands) {
    const { code } = await run(nodeOf(root), command, { cwd: root, env, output: output ?? 'shown' })
    succeeded = succeeded && code === 0
  }
  const seconds = (performance.now() - started) / 1000
  const { counts, failures, unavailable } =
    step.report && report
      ? readResults(step.report, report, succeeded)
      : { counts: countCheck(succeeded), failures: [], unavailable: undefined }
  const skipped = unavailable === undefined ? {} : { unavailable }
  return { name: step.name, outcome: outcomeOf(counts, unavailable), seconds, counts, failures, ...skipped }
}

/**
 * @param {import('./test-results.mjs').Counts} counts
 * @param {string | undefined} unavailable
 */
function outcomeOf({ failed }, unavailable) {
  if (failed > 0) return 'failed'
  return unavailable === undefined ? 'passed' : 'skipped'
}

/**
 * The file a runner writes its counts to, without those of an earlier run.
 * @param {string} root
 * @param {string} step
 */
function freshReport(root, step) {
  const file = join(root, reportFile(step))
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
  return { name, outcome: 'not run', seconds: 0, counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] }
}
