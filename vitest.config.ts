import { defineConfig } from 'vitest/config'
import { find, PROGRAMS } from './tools/prerequisites.mjs'

// Workers inherit it: a test must not depend on where it runs.
process.env.TZ = 'UTC'

/** What tests start: told by `npm test`, found here when tests are run by hand, empty where there is none. */
const programs = {
  postgresBin: find(PROGRAMS.postgresql, process.env) ?? '',
  redisServer: find(PROGRAMS.redis, process.env) ?? '',
}

const shared = {
  restoreMocks: true,
  unstubGlobals: true,
  // No test waits for time to pass; this is for a machine that is busy with other things.
  testTimeout: 30_000,
  hookTimeout: 30_000,
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
          include: ['packages/{contract,engine,server}/src/**/*.test.ts', 'tools/**/*.test.ts'],
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
