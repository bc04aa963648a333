import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { CHROMIUM } from './chromium.ts'
import { isFullTier } from './tier.ts'

const isCounted = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME !== undefined

export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.journey.ts',
  outputDir: '../test-results',
  // A journey takes about 1.3 s of processor time and waits as long; the unit tests run beside it (tools/suite/steps.mjs).
  workers: Math.min(4, availableParallelism()),
  fullyParallel: true,
  ...(isFullTier() ? {} : { grepInvert: /@edge|@long/ }),
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // Every wait ends with a condition; the limits allow for a busy machine.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: isCounted ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    // One context per worker, reset between tests: a new one for each would compile the whole console again.
    reuseContext: true,
    viewport: { width: 1400, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    // Animations run in real time, whatever a test's clock says; without them nothing is clicked or measured while it moves.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace costs a tenth of the processor time; `--trace on` records one.
    trace: 'off',
    launchOptions: CHROMIUM,
  },
})
