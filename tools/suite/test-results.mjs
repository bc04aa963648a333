import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../launch/project.mjs'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @typedef {object} TestResults
 * @property {Counts} counts
 * @property {string[]} failures each failed test and its first error
 * @property {string} [unavailable] why this machine could run none of them
 */

/**
 * @param {'vitest' | 'playwright' | 'unittest'} runner
 * @param {string} file
 * @param {boolean} succeeded whether the runner itself ended well
 * @returns {TestResults}
 */
export function readResults(runner, file, succeeded) {
  if (!existsSync(file)) return { counts: { ...NOTHING, failed: 1 }, failures: [] }
  const { counts, failures, unavailable } = READERS[runner](JSON.parse(readFileSync(file, 'utf8')))
  if (unavailable !== undefined && succeeded) return { counts, failures, unavailable }
  const ranNothing = counts.passed + counts.failed === 0
  // A run that broke down, or found nothing to run, must not count as zero failures.
  const brokeDown = counts.failed === 0 && (!succeeded || ranNothing)
  return { counts: brokeDown ? { ...counts, failed: 1 } : counts, failures }
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

/**
 * `any`: each runner writes a report of its own form, which its reader declares.
 * @type {Record<'vitest' | 'playwright' | 'unittest', (report: any) => TestResults>}
 */
const READERS = { vitest: readVitest, playwright: readPlaywright, unittest: readUnittest }

/** The lines of an error that are repeated in the summary. */
const MESSAGE_MAX_LINES = 15

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {VitestFile[]} testResults
 */

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} status
 * @property {string} [message] why the file could not be run
 * @property {{ status: string, fullName: string, failureMessages?: string[] | null }[]} assertionResults
 */

/**
 * @param {VitestReport} report
 * @returns {TestResults}
 */
function readVitest(report) {
  const skipped = report.numPendingTests + report.numTodoTests
  const failures = report.testResults.flatMap(failuresOfFile)
  return { counts: { passed: report.numPassedTests, failed: report.numFailedTests, skipped }, failures }
}

/** @param {VitestFile} file */
function failuresOfFile({ name, status, message, assertionResults }) {
  const path = relative(ROOT, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [describeFailure(path, message)]
  return failed.map((test) => describeFailure(`${path} › ${test.fullName}`, test.failureMessages?.[0]))
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {PlaywrightSpec[]} [specs]
 */

/**
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {string} file
 * @property {boolean} ok
 * @property {{ results: { error?: { message?: string } }[] }[]} tests
 */

/**
 * @param {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number }, suites: PlaywrightSuite[] }} report
 * @returns {TestResults}
 */
function readPlaywright({ stats, suites }) {
  const counts = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
  return { counts, failures: suites.flatMap(failuresOfSuite) }
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresOfSuite({ suites = [], specs = [] }) {
  const own = specs
    .filter((spec) => !spec.ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap((test) => test.results.flatMap((result) => result.error?.message ?? []))
      return describeFailure(`${file} › ${title}`, errors[0])
    })
  return [...own, ...suites.flatMap(failuresOfSuite)]
}

/**
 * The report of packages/nautilus/python/tests.
 * @param {{ passed: number, skipped: number, unavailable?: string, failures: { name: string, message: string }[] }} report
 * @returns {TestResults}
 */
function readUnittest({ passed, skipped, unavailable, failures }) {
  return {
    counts: { passed, failed: failures.length, skipped },
    failures: failures.map(({ name, message }) => describeFailure(name, message)),
    ...(unavailable === undefined ? {} : { unavailable }),
  }
}

/** @param {string} name @param {string} [message] */
function describeFailure(name, message = '') {
  const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, MESSAGE_MAX_LINES)
  return [name, ...lines.map((line) => `    ${line}`.trimEnd())].join('\n').trimEnd()
}
