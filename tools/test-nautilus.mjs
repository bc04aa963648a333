import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, stopRunning } from './launch/child.mjs'
import { ROOT } from './launch/project.mjs'
import { onStopSignal } from './launch/signals.mjs'
import { ensureEnvironment } from './nautilus/environment.mjs'
import { REPORTS } from './suite/steps.mjs'

onStopSignal(() => {
  stopRunning()
  process.exit(130)
})

const PYTHON_FOLDER = join(ROOT, 'packages', 'nautilus', 'python')
const report = join(ROOT, REPORTS.unittest)

const environment = await ensureEnvironment(ROOT, join(ROOT, '.cache', 'nautilus'), process.env, (line) =>
  console.log(line),
)
if ('missing' in environment) reportMissing(environment.missing)
else await runTests(environment.python)

/**
 * The tests count as skipped, unless this machine must be able to run them.
 * @param {string} reason
 */
function reportMissing(reason) {
  const skipped = countTests()
  console.log(`SKIPPED ${skipped} NautilusTrader tests: ${reason}`)
  const isRequired = Boolean(process.env.BINNACLE_REQUIRE_NAUTILUS)
  const failures = isRequired
    ? [{ name: 'NautilusTrader tests', message: `${reason} (BINNACLE_REQUIRE_NAUTILUS is set)` }]
    : []
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify({ passed: 0, skipped, unavailable: reason, failures }))
  process.exitCode = isRequired ? 1 : 0
}

/** @param {string} python */
async function runTests(python) {
  const args = ['-B', '-m', 'tests', '--report', report, ...process.argv.slice(2)]
  const { code } = await run(python, args, { cwd: PYTHON_FOLDER, output: 'shown' })
  process.exitCode = code
}

/** The number of Python tests, counted without Python. */
function countTests() {
  const folder = join(PYTHON_FOLDER, 'tests')
  const files = readdirSync(folder).filter((name) => /^test_.*\.py$/.test(name))
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/^ +def test_/gm) ?? [])
    .length
}
