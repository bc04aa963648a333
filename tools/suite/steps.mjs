/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[][]} commands run in turn by the project's Node: a script and its arguments
 * @property {import('../prerequisites.mjs').ProgramId[]} [needs]
 * @property {boolean} [needsAll] whether without them nothing in it could run
 * @property {string} [after] the step without whose success this one says nothing; it is earlier in the same lane
 * @property {string} [lane] steps of a lane run one after the other, beside those of other lanes
 * @property {'vitest' | 'playwright' | 'unittest'} [report] who counts the tests; a step without one counts as one check
 */

const BIOME = 'node_modules/@biomejs/biome/bin/biome'

/**
 * Where the runner of a step leaves its counts.
 * @param {string} step
 */
export function reportFile(step) {
  return `.cache/tests/${step}.json`
}

/** @type {readonly Step[]} cheapest first; tests wait half of the time, so the lanes fill the processors together */
export const STEPS = [
  // Biome parses a file once for its form and its rules.
  {
    name: 'lint',
    commands: [
      [BIOME, 'check', '--enforce-assist=true', '--error-on-warnings', '.'],
      ['tools/check-source.ts'],
      ['node_modules/knip/bin/knip.js'],
    ],
  },
  { name: 'dependencies', commands: [['tools/check-imports.ts']] },
  { name: 'types', commands: [['node_modules/typescript7/bin/tsc', '-b', '--singleThreaded']] },
  {
    name: 'unit',
    lane: 'unit',
    needs: ['postgresql', 'redis'],
    report: 'vitest',
    commands: [vitest('unit', ['node', 'pure'])],
  },
  // Installs Python packages the first time, which waits for the network.
  { name: 'nautilus', lane: 'nautilus', report: 'unittest', commands: [['tools/test-nautilus.mjs']] },
  { name: 'rules', commands: [['tools/check-rules.ts']] },
  {
    name: 'drift',
    commands: [
      ['tools/print-openapi.ts', '--check'],
      ['tools/guide/print-strategies.ts', '--check'],
      ['tools/guide/print-configuration.ts', '--check'],
      ['tools/check-lock.ts'],
    ],
  },
  { name: 'build', lane: 'browser', commands: [['tools/build-site.mjs'], ['tools/check-bundle.ts']] },
  {
    name: 'e2e',
    lane: 'browser',
    needs: ['chromium'],
    needsAll: true,
    after: 'build',
    report: 'playwright',
    commands: [['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e', '--reporter=list,json']],
  },
  // After the journeys, beside the last unit tests: beside both, all three need a sixth more processor time.
  { name: 'web', lane: 'browser', report: 'vitest', commands: [vitest('web', ['web'])] },
]

/**
 * @param {string} step
 * @param {string[]} projects
 */
function vitest(step, projects) {
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile(step)}`]
  return ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...reporters]
}

/**
 * The steps of these names, in the order given; all of them without a name.
 * @param {string[]} names
 * @returns {{ steps: Step[], unknown: string[] }}
 */
export function chooseSteps(names) {
  if (names.length === 0) return { steps: [...STEPS], unknown: [] }
  const byName = new Map(STEPS.map((step) => [step.name, step]))
  const unknown = names.filter((name) => !byName.has(name))
  return { steps: names.flatMap((name) => byName.get(name) ?? []), unknown }
}
