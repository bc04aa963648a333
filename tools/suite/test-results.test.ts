import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../launch/project.mjs'
import { temporaryFolder } from '../testkit/temporary-folder.ts'
import { countCheck, readResults } from './test-results.mjs'

const VITEST = { numPassedTests: 8, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }

test("Vitest's report is read, with the failed tests and their errors", () => {
  const report = {
    ...VITEST,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      {
        name: join(ROOT, 'packages/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'a sum' },
          {
            status: 'failed',
            fullName: 'a product',
            failureMessages: ['\u001B[31mexpected 1 to be 2\u001B[39m\n    at a.test.ts:3'],
          },
        ],
      },
      {
        name: join(ROOT, 'packages/b.test.ts'),
        status: 'failed',
        message: 'Cannot find c.ts',
        assertionResults: [],
      },
    ],
  }
  expect(readResults('vitest', reportOf(report), false)).toEqual({
    counts: { passed: 8, failed: 1, skipped: 3 },
    failures: [
      'packages/a.test.ts › a product\n    expected 1 to be 2\n        at a.test.ts:3',
      'packages/b.test.ts\n    Cannot find c.ts',
    ],
  })
})

test("Playwright's report is read, with the failed journeys and their errors", () => {
  const failed = { results: [{ error: { message: 'Timeout of 30 s' } }] }
  const specs = [
    { title: 'a halt', file: 'risk.journey.ts', ok: false, tests: [failed] },
    { title: 'an order', file: 'risk.journey.ts', ok: true, tests: [{ results: [{}] }] },
  ]
  const report = {
    stats: { expected: 5, flaky: 1, unexpected: 2, skipped: 1 },
    suites: [{ specs: [], suites: [{ specs }] }],
  }
  expect(readResults('playwright', reportOf(report), false)).toEqual({
    counts: { passed: 6, failed: 2, skipped: 1 },
    failures: ['risk.journey.ts › a halt\n    Timeout of 30 s'],
  })
})

test('the report of the Python tests is read; tests that this machine cannot run are skipped, not passed', () => {
  const failures = [{ name: 'test_flip', message: 'AssertionError: 1 != 2' }]
  const report = { passed: 5, skipped: 1, failures }
  expect(readResults('unittest', reportOf(report), false)).toEqual({
    counts: { passed: 5, failed: 1, skipped: 1 },
    failures: ['test_flip\n    AssertionError: 1 != 2'],
  })
  const skipped = { passed: 0, skipped: 42, unavailable: 'Python not found', failures: [] }
  expect(readResults('unittest', reportOf(skipped), true)).toEqual({
    counts: { passed: 0, failed: 0, skipped: 42 },
    failures: [],
    unavailable: 'Python not found',
  })
  expect(readResults('unittest', reportOf(skipped), false).counts.failed).toBe(1)
})

test('a long error is cut', () => {
  const failureMessages = [Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')]
  const assertionResults = [{ status: 'failed', fullName: 'a sum', failureMessages }]
  const report = { ...VITEST, testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] }
  expect(readResults('vitest', reportOf(report), false).failures[0]?.split('\n')).toHaveLength(16)
})

test('a runner that fails without a failed test counts as one failure', () => {
  const { counts } = readResults('vitest', reportOf(VITEST), false)
  expect(counts).toEqual({ passed: 8, failed: 1, skipped: 0 })
})

test('a runner that found no test, or left no report, counts as one failure', () => {
  const nothing = { passed: 0, failed: 1, skipped: 0 }
  expect(readResults('vitest', reportOf({ ...VITEST, numPassedTests: 0 }), true).counts).toEqual(nothing)
  expect(readResults('vitest', 'gone.json', true).counts).toEqual(nothing)
})

test('a check counts as one', () => {
  expect(countCheck(true)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(countCheck(false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

function reportOf(report: object): string {
  return join(temporaryFolder({ 'report.json': JSON.stringify(report) }), 'report.json')
}
