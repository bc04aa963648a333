import { join } from 'node:path'
import { run } from '../launch/child.mjs'
import { nodeOf } from '../launch/project.mjs'
import { readPlaywright, readVitest, type TestRun } from './reports.ts'

/** Runs test files and journeys in a copy of the tree: all tests, or those that match a title until one fails. */
export async function runTests(folder: string, tests: readonly string[], title?: string): Promise<TestRun[]> {
  const journeys = tests.filter((test) => test.endsWith('.journey.ts'))
  const units = tests.filter((test) => !journeys.includes(test))
  return [
    ...(units.length > 0 ? await runVitest(folder, units, title) : []),
    ...(journeys.length > 0 ? await runPlaywright(folder, journeys, title) : []),
  ]
}

async function runVitest(folder: string, files: string[], title?: string): Promise<TestRun[]> {
  const output = join(folder, 'vitest-report.json')
  const options = ['--reporter=json', `--outputFile=${output}`, ...(title ? ['-t', title, '--bail=1'] : [])]
  await runNode(folder, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...files])
  return readVitest(folder, output)
}

async function runPlaywright(folder: string, files: string[], title?: string): Promise<TestRun[]> {
  const isBuilt = await runNode(folder, ['node_modules/vite/bin/vite.js', 'build', 'packages/web'])
  if (!isBuilt) return []
  const output = join(folder, 'playwright-report.json')
  const options = ['-c', 'e2e', '--reporter=json', ...(title ? ['-g', title, '--max-failures=1'] : [])]
  const names = files.map((file) => file.replace('e2e/journeys/', ''))
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: output }
  await runNode(folder, ['node_modules/@playwright/test/cli.js', 'test', ...options, ...names], env)
  return readPlaywright(output)
}

async function runNode(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const { code } = await run(nodeOf(folder), args, {
    cwd: folder,
    env: { ...process.env, ...env },
    output: 'captured',
  })
  return code === 0
}
