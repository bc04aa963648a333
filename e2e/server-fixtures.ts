import { test as base, expect } from '@playwright/test'
import { type BrowserWatch, watchTest } from './browser-watch.ts'
import { type OurServer, startOurServer } from './our-server.ts'

export interface ServerFixtures {
  watch: BrowserWatch
}

export interface WorkerFixtures {
  server: OurServer
}

/** The console as our own server serves it, on one origin and under its content policy. */
export const test = base.extend<ServerFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern.
    async ({}, use) => {
      const server = await startOurServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  watch: [
    async ({ context, server }, use) => {
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`content policy: ${violatedDirective} blocked ${blockedURI}`),
        )
      })
      await watchTest(context, { origins: [server.origin], isKnownFailure: () => false }, use)
    },
    { auto: true },
  ],
})

export { expect }
