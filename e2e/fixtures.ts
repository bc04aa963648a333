import { test as base, expect } from '@playwright/test'
import { SpecificationBackend } from '#backend/backend.ts'
import type { SeedName } from '#backend/seed/seed.ts'
import { type BrowserWatch, watchTest } from './browser-watch.ts'

interface JourneyOptions {
  /** What the backend knows when the test begins: `test.use({ seed: 'empty' })`. */
  seed: SeedName
}

interface JourneyFixtures {
  backend: SpecificationBackend
  /** Always on: fails the test on a page error, an unexpected console error or a request to another host. */
  watch: BrowserWatch
}

interface WorkerFixtures {
  server: SpecificationBackend
}

/** The console against a backend that answers the calls of the specification and nothing else. */
export const test = base.extend<JourneyOptions & JourneyFixtures, WorkerFixtures>({
  seed: ['usual', { option: true }],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern.
    async ({}, use) => {
      const server = await SpecificationBackend.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  // The context comes first: until it is reset, the page of the test before still polls.
  backend: async ({ context: _, server, seed }, use) => {
    server.reset(seed)
    await use(server)
  },
  baseURL: async ({ server }, use) => use(server.origin),
  watch: [
    ({ context, backend }, use) => {
      const origins = [backend.origin, backend.deadOrigin]
      return watchTest(context, { origins, isKnownFailure: (url) => backend.isKnownFailure(url) }, use)
    },
    { auto: true },
  ],
})

export { expect }
