import { test as base, expect } from '@playwright/test'
import { BrowserWatch, endRoutes } from './browser-watch.ts'
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
      const watch = new BrowserWatch(context, { origins: [server.origin], isKnownFailure: () => false })
      await use(watch)
      const complaints = watch.complaints()
      await endRoutes(context)
      expect(complaints, 'page errors, policy violations and stray requests').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
