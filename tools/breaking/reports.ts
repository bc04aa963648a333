import { existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'

/** One test as a runner reports it. */
export interface TestRun {
  file: string
  title: string
  passed: boolean
}

interface VitestReport {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
}

interface PlaywrightSuite {
  file: string
  specs: { title: string; ok: boolean }[]
  suites?: PlaywrightSuite[]
}

/** A file that fails to load reports no tests: a syntax error does not count as a broken rule. */
export function readVitest(root: string, file: string): TestRun[] {
  const report = takeReport<VitestReport>(file)
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status }) => ({ file: relative(root, name), title, passed: status === 'passed' })),
  )
}

export function readPlaywright(file: string): TestRun[] {
  const report = takeReport<{ suites: PlaywrightSuite[] }>(file)
  return (report?.suites ?? []).flatMap(testsOf)
}

function testsOf({ file, specs, suites = [] }: PlaywrightSuite): TestRun[] {
  const own = specs.map(({ title, ok }) => ({ file: `e2e/journeys/${file}`, title, passed: ok }))
  return [...own, ...suites.flatMap(testsOf)]
}

function takeReport<Shape>(file: string): Shape | undefined {
  if (!existsSync(file)) return undefined
  const report: Shape = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return report
}
