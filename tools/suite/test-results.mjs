import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @param {'vitest' | 'playwright'} runner
 * @param {string} file
 * @param {boolean} succeeded whether the runner itself ended well
 * @returns {Counts}
 */
export function countTests(runner, file, succeeded) {
  const counts = existsSync(file) ? READERS[runner](JSON.parse(readFileSync(file, 'utf8'))) : NOTHING
  const ranNothing = counts.passed + counts.failed === 0
  // A run that broke down, or found nothing to run, must not count as zero failures.
  return counts.failed === 0 && (!succeeded || ranNothing) ? { ...counts, failed: 1 } : counts
}

/**
 * A check has no tests to count: it is one itself.
 * @param {boolean} succeeded
 * @returns {Counts}
 */
export function countCheck(succeeded) {
  return succeeded ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0 }

const READERS = { vitest: readVitest, playwright: readPlaywright }

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} report
 * @returns {Counts}
 */
function readVitest(report) {
  const skipped = report.numPendingTests + report.numTodoTests
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped }
}

/**
 * @param {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number } }} report
 * @returns {Counts}
 */
function readPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}
