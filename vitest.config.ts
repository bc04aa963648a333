import { defineConfig } from 'vitest/config'

// Workers inherit it: a test must not depend on where it runs.
process.env.TZ = 'UTC'

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['packages/{contract,engine,server}/src/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        extends: './packages/web/vite.config.ts',
        test: {
          name: 'web',
          root: '.',
          environment: 'jsdom',
          include: ['packages/web/src/**/*.test.{ts,tsx}'],
          testTimeout: 30_000,
          setupFiles: ['packages/web/src/testkit/setup.ts'],
        },
      },
    ],
  },
})
