/**
 * @typedef {object} Result
 * @property {string} name
 * @property {'passed' | 'failed' | 'skipped' | 'not run'} outcome
 * @property {number} seconds
 * @property {import('./test-results.mjs').Counts} counts
 * @property {string[]} failures each failed test with its error; empty for checks, whose output is above
 * @property {string} [unavailable] why none of its tests could run on this machine
 */

/**
 * The failed tests once more and the table at the end, so that a log cut at its beginning still says what failed. Its
 * last line is what scripts read.
 * @param {readonly Result[]} results
 */
export function summarise(results) {
  const width = Math.max(4, ...results.map((result) => result.name.length))
  const row = (/** @type {string[]} */ [name = '', ...cells]) =>
    [name.padEnd(width), ...cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0))].join('').trimEnd()
  const lines = results.map((result) => row(cellsOf(result)))
  const failures = results.flatMap((result) => result.failures.map((failure) => `${result.name}: ${failure}`))
  const failedTests = failures.length === 0 ? [] : ['', 'Failed tests:', '', ...failures]
  const skippedSteps = results.flatMap(({ name, counts, unavailable }) =>
    unavailable === undefined ? [] : ['', `SKIPPED ${counts.skipped} tests of ${name}: ${unavailable}`],
  )
  const passed = sum(results, 'passed')
  const failed = sum(results, 'failed')
  return [
    ...failedTests,
    '',
    row(HEAD),
    ...lines,
    ...skippedSteps,
    '',
    `${passed} passed, ${failed} failed`,
  ].join('\n')
}

/**
 * @param {readonly Result[]} results
 * @param {keyof import('./test-results.mjs').Counts} key
 */
export function sum(results, key) {
  return results.reduce((total, result) => total + result.counts[key], 0)
}

const HEAD = ['step', 'result', 'seconds', 'passed', 'failed', 'skipped']
const WIDTHS = [10, 10, 9, 9, 9]

/** @param {Result} result */
function cellsOf({ name, outcome, seconds, counts }) {
  if (outcome === 'not run') return [name, outcome]
  const skipped = counts.skipped === 0 ? '' : String(counts.skipped)
  return [name, outcome, seconds.toFixed(1), String(counts.passed), String(counts.failed), skipped]
}
