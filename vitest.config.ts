import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { find, PROGRAMS } from './tools/prerequisites.mjs'

// Workers inherit both: a test must not depend on where it runs, and what Node compiled for one file serves the next.
process.env.TZ = 'UTC'
process.env.NODE_COMPILE_CACHE = resolve(import.meta.dirname, '.cache/compiled')

/** What tests start: told by `npm test`, found here when tests are run by hand, empty where there is none. */
const programs = {
  postgresBin: find(PROGRAMS.postgresql, process.env) ?? '',
  redisServer: find(PROGRAMS.redis, process.env) ?? '',
}

const shared = {
  // Left to itself the runner spares one core for watching, which of two is half; and much of the time is waiting.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  restoreMocks: true,
  unstubGlobals: true,
  // No test waits for time to pass; this is for a machine that is busy with other things.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          globalSetup: ['packages/server/src/testkit/stores/global-setup.ts'],
          provide: { programs },
          include: ['packages/server/src/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'pure',
          environment: 'node',
          // They neither read nor change the world, so files need no process of their own.
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
          include: ['packages/web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['packages/web/src/testkit/setup.ts'],
        },
      },
    ],
  },
})
