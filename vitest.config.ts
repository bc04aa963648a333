import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { find, PROGRAMS } from './tools/prerequisites.mjs'
import { chooseCounts } from './tools/suite/counts.mjs'

// Workers inherit both: tests must not depend on the time zone, and compiled files are shared.
process.env.TZ = 'UTC'
process.env.NODE_COMPILE_CACHE = resolve(import.meta.dirname, '.cache/compiled')

/** Programs that tests start: set by `npm test`, searched when tests are run by hand, empty if not found. */
const programs = {
  postgresBin: find(PROGRAMS.postgresql, process.env) ?? '',
  redisServer: find(PROGRAMS.redis, process.env) ?? '',
}

const { tier, seed, counts } = chooseCounts(process.env)
const generated = { seed, counts }
console.log(
  `Generated and fault tests: ${tier} counts, seed ${seed} (BINNACLE_TEST_SEED=${seed} repeats them)`,
)

/** Tests over a NautilusTrader node. The step that installs it runs them, and says why when it cannot. */
const REAL_NODE_TESTS = 'packages/{nautilus,server}/src/**/*.real.test.ts'
const hasNautilus = process.env.BINNACLE_NAUTILUS_PYTHON !== undefined

/** Programs and threads of tests load fewer files with them. */
const QUICK_IMPORTS = 'packages/server/src/testkit/quick-imports.mjs'
const BUNDLES_SETUP = 'packages/server/src/testkit/bundles.setup.ts'

const shared = {
  // Tests wait for processes, disks and sockets half of the time; the journeys run beside them (tools/suite/steps.mjs).
  maxWorkers: availableParallelism(),
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  // No test waits for time to pass; the limits allow for a busy machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          globalSetup: [
            'packages/stores/src/testkit/stores/global-setup.ts',
            BUNDLES_SETUP,
            'packages/server/src/testkit/compile-cache.setup.ts',
          ],
          setupFiles: ['packages/server/src/testkit/reply-timeout.setup.ts'],
          provide: { programs, generated },
          // For the threads that tests start, which inherit it.
          execArgv: ['--import', pathToFileURL(resolve(import.meta.dirname, QUICK_IMPORTS)).href],
          // Loading the sources again for each file took half of the time. Files keep no state in modules.
          isolate: false,
          include: ['packages/{sandbox,stores,nautilus,server}/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...configDefaults.exclude, REAL_NODE_TESTS],
        },
      },
      ...(hasNautilus
        ? [
            {
              test: {
                ...shared,
                name: 'nautilus',
                environment: 'node',
                globalSetup: [BUNDLES_SETUP],
                provide: { generated },
                include: [REAL_NODE_TESTS],
              },
            },
          ]
        : []),
      {
        test: {
          ...shared,
          name: 'pure',
          environment: 'node',
          provide: { generated },
          // They have no side effects, so files share a process.
          isolate: false,
          include: ['packages/{contract,engine}/src/**/*.test.ts'],
        },
      },
      {
        extends: './packages/web/vite.config.ts',
        test: {
          ...shared,
          name: 'web',
          root: '.',
          environment: 'jsdom',
          // One document per worker is three times faster; setup.ts leaves nothing behind, in any order of files.
          isolate: false,
          // With V8's small young generation, collecting garbage took another twelfth of the time.
          execArgv: ['--max-semi-space-size=64'],
          include: ['packages/web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['packages/web/src/testkit/setup.ts'],
        },
      },
    ],
  },
})
