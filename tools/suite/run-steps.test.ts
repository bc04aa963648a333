import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { smallProject } from '../testkit/small-project.ts'
import { runSteps } from './run-steps.mjs'
import { chooseSteps, STEPS } from './steps.mjs'

const MACHINE = { env: { BINNACLE_CHROMIUM: '/usr/bin/chromium' }, missing: [], mayBeMissing: false }

test('the steps are listed cheapest first', () => {
  const names = 'lint dependencies types unit nautilus rules drift build e2e web'.split(' ')
  expect(STEPS.map((step) => step.name)).toEqual(names)
  expect(chooseSteps([]).steps).toEqual(STEPS)
})

test('steps can be chosen by name; an unknown name is reported', () => {
  expect(chooseSteps(['build', 'e2e']).steps.map((step) => step.name)).toEqual(['build', 'e2e'])
  expect(chooseSteps(['units']).unknown).toEqual(['units'])
})

test('a failed step does not stop the next, and every command of a step runs', async () => {
  const root = quietProject()
  const steps = [
    { name: 'lint', commands: [['fail.mjs'], ['leave-a-mark.mjs']] },
    { name: 'dependencies', commands: [['succeed.mjs']] },
  ]
  expect(await outcomes(root, steps)).toEqual(['lint failed', 'dependencies passed'])
  expect(existsSync(join(root, 'mark'))).toBe(true)
})

test('a step that builds on a failed one is not run', async () => {
  const build = { name: 'build', commands: [['fail.mjs']] }
  const journeys = { name: 'e2e', after: 'build', commands: [['leave-a-mark.mjs']] }
  const root = quietProject()
  expect(await outcomes(root, [build, journeys])).toEqual(['build failed', 'e2e not run'])
  expect(existsSync(join(root, 'mark'))).toBe(false)
  expect(await outcomes(root, [journeys])).toEqual(['e2e passed'])
})

test('lanes run beside one another; results and output come in the order of the steps', async () => {
  const shown: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => shown.push(String(chunk)) > 0)
  // The first step ends only when the second has run.
  const steps = [
    { name: 'unit', lane: 'unit', commands: [['wait-for-mark.mjs']] },
    { name: 'e2e', lane: 'browser', commands: [['leave-a-mark.mjs']] },
  ]
  expect(await outcomes(quietProject(), steps)).toEqual(['unit passed', 'e2e passed'])
  expect(shown.join('')).toBe('\n── unit ──\nfound\n\n── e2e ──\n')
})

test('a missing program fails the run and leaves out the step that cannot do without', async () => {
  const steps = [
    { name: 'unit', needs: ['redis' as const], commands: [['succeed.mjs']] },
    { name: 'e2e', needs: ['chromium' as const], needsAll: true, commands: [['succeed.mjs']] },
  ]
  const machine = { env: {}, missing: ['Chromium is not on this machine.'], mayBeMissing: false }
  expect(await outcomes(quietProject(), steps, machine)).toEqual([
    'machine failed',
    'unit passed',
    'e2e not run',
  ])
  const optedOut = { ...machine, mayBeMissing: true }
  expect(await outcomes(quietProject(), steps, optedOut)).toEqual(['unit passed', 'e2e not run'])
})

async function outcomes(root: string, steps: typeof STEPS, machine: typeof MACHINE | object = MACHINE) {
  const results = await runSteps(root, steps, { ...MACHINE, ...machine })
  return results.map(({ name, outcome }) => `${name} ${outcome}`)
}

function quietProject(): string {
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  return smallProject({
    'succeed.mjs': '',
    'fail.mjs': 'process.exitCode = 1',
    'wait-for-mark.mjs': `
      import { existsSync } from 'node:fs'
      while (!existsSync('mark'));
      console.log('found')`,
    'leave-a-mark.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync('mark', '')",
  })
}
