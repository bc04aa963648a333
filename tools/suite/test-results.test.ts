import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testkit/temporary-folder.ts'
import { countCheck, countTests } from './test-results.mjs'

test("Vitest's and Playwright's reports are read", () => {
  const vitest = { numPassedTests: 8, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }
  expect(countTests('vitest', reportOf(vitest), false)).toEqual({ passed: 8, failed: 1, skipped: 3 })
  const playwright = { stats: { expected: 5, flaky: 1, unexpected: 2, skipped: 1 } }
  expect(countTests('playwright', reportOf(playwright), false)).toEqual({ passed: 6, failed: 2, skipped: 1 })
})

test('a runner that fails without a failed test counts as one failure', () => {
  const report = reportOf({ numPassedTests: 8, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 })
  expect(countTests('vitest', report, false)).toEqual({ passed: 8, failed: 1, skipped: 0 })
})

test('a runner that found no test, or left no report, counts as one failure', () => {
  const report = reportOf({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 })
  expect(countTests('vitest', report, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countTests('vitest', 'gone.json', true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('a check counts as one', () => {
  expect(countCheck(true)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countCheck(false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

function reportOf(report: object): string {
  return join(temporaryFolder({ 'report.json': JSON.stringify(report) }), 'report.json')
}
