import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run, stopRunning } from './launch/child.mjs'
import { ROOT } from './launch/project.mjs'
import { onStopSignal } from './launch/signals.mjs'
import { ensureEnvironment } from './nautilus/environment.mjs'
import { reportFile } from './suite/steps.mjs'
import { readResults } from './suite/test-results.mjs'

onStopSignal(() => {
  stopRunning()
  process.exit(130)
})

const PYTHON_FOLDER = join(ROOT, 'packages', 'nautilus', 'python')
const report = join(ROOT, reportFile('nautilus'))

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

/**
 * The tests of the bridge, then those of the console over a real node. Both are counted in one report.
 * @param {string} python
 */
async function runTests(python) {
  const chosen = process.argv.slice(2)
  const bridge = await run(python, ['-B', '-m', 'tests', '--report', report, ...chosen], {
    cwd: PYTHON_FOLDER,
    output: 'shown',
  })
  process.exitCode = bridge.code
  if (chosen.length > 0) return
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'nautilus',
    '--reporter=default',
    '--reporter=json',
  ]
  const file = join(ROOT, '.cache', 'tests', 'nautilus-console.json')
  rmSync(file, { force: true })
  const env = { ...process.env, BINNACLE_NAUTILUS_PYTHON: python }
  const node = await run(process.execPath, [...args, `--outputFile.json=${file}`], {
    cwd: ROOT,
    env,
    output: 'shown',
  })
  addResults(readResults('vitest', file, node.code === 0))
  process.exitCode = bridge.code || node.code
}

/** @param {import('./suite/test-results.mjs').TestResults} results */
function addResults({ counts, failures }) {
  const sum = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : {
        passed: 0,
        skipped: 0,
        failures: [{ name: 'the tests of the bridge', message: 'did not run to their end' }],
      }
  sum.passed += counts.passed
  sum.skipped += counts.skipped
  const unnamed = counts.failed > failures.length ? ['the tests of the console over a node'] : []
  sum.failures.push(...[...failures, ...unnamed].map((name) => ({ name, message: '' })))
  writeFileSync(report, JSON.stringify(sum))
}

/** The number of tests, counted without Python. */
function countTests() {
  const python = globSync('tests/test_*.py', { cwd: PYTHON_FOLDER }).map((name) => join(PYTHON_FOLDER, name))
  const real = globSync('packages/*/src/**/*.real.test.ts', { cwd: ROOT }).map((name) => join(ROOT, name))
  const count = (/** @type {string} */ file) =>
    readFileSync(file, 'utf8').match(/^ +def test_|^ *test(\.\w+)*\(/gm)?.length ?? 0
  return [...python, ...real].reduce((total, file) => total + count(file), 0)
}
