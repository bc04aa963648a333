import type { Page } from '@playwright/test'
import type { SpecificationBackend } from '#backend/backend.ts'
import { expect, test } from '#fixtures.ts'
import { Shell } from '#pages/shell.ts'
import { EDGE } from '#tier.ts'

const CALLS = [
  { screen: 'Orders', call: 'GET /api/orders', port: '8000' },
  { screen: 'Admin Database', call: 'GET /api/admin/settings', port: '8001' },
  { screen: 'Database Management', call: 'GET /api/db/connections', port: '8002' },
] as const

const CONFIGS = {
  'is missing': { status: 404, text: 'Not Found' },
  'is not JSON': { status: 200, text: '<!doctype html><title>a site</title>' },
}

for (const [state, reply] of Object.entries(CONFIGS)) {
  test(
    `[CALL-2] when /config.json ${state}, the three APIs are called at their default ports`,
    EDGE,
    async ({ page, backend, watch }) => {
      backend.reply('GET /config.json', reply)
      for (const { port } of CALLS) {
        watch.allowOrigin(`http://127.0.0.1:${port}`)
        await forward(page, `http://127.0.0.1:${port}`, backend)
      }
      await page.goto('/docs')
      for (const { screen, call, port } of CALLS) {
        const request = page.waitForRequest((sent) => `GET ${new URL(sent.url()).pathname}` === call)
        await new Shell(page).goTo(screen)
        expect(new URL((await request).url()).port).toBe(port)
      }
    },
  )
}

test('[CALL-3] with one origin in /config.json every call goes there', EDGE, async ({ page, backend }) => {
  await page.goto('/docs')
  for (const { screen, call } of CALLS) {
    await new Shell(page).goTo(screen)
    await backend.called(call)
  }
})

/** The default ports belong to a real server, so requests to them are forwarded to the backend. */
async function forward(page: Page, origin: string, backend: SpecificationBackend): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const url = route.request().url().replace(origin, backend.origin)
    try {
      const response = await route.fetch({ url })
      const headers = { ...response.headers(), 'access-control-allow-origin': '*' }
      await route.fulfill({ response, headers })
    } catch {
      // A poll still in flight when the test ended; nothing waits for its response.
    }
  })
}
