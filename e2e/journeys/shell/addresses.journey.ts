import type { Page } from '@playwright/test'
import type { SpecificationBackend } from '#backend/backend.ts'
import { expect, test } from '#fixtures.ts'

const CALLS = [
  { path: '/trader/orders', call: 'GET /api/orders', port: '8000' },
  { path: '/admin/database-management', call: 'GET /api/admin/settings', port: '8001' },
  { path: '/admin/db-management', call: 'GET /api/db/connections', port: '8002' },
] as const

const CONFIGS = {
  'is missing': { status: 404, text: 'Not Found' },
  'is not JSON': { status: 200, text: '<!doctype html><title>a site</title>' },
}

for (const [state, reply] of Object.entries(CONFIGS)) {
  for (const { path, call, port } of CALLS) {
    test(`[CALL-2] when /config.json ${state}, ${path} calls port ${port}`, async ({
      page,
      backend,
      watch,
    }) => {
      backend.reply('GET /config.json', reply)
      for (const usual of ['8000', '8001', '8002']) {
        watch.allowOrigin(`http://127.0.0.1:${usual}`)
        await forward(page, `http://127.0.0.1:${usual}`, backend)
      }
      const request = page.waitForRequest((asked) => `GET ${new URL(asked.url()).pathname}` === call)
      await page.goto(path)
      expect(new URL((await request).url()).port).toBe(port)
    })
  }
}

test('[CALL-3] with one origin in /config.json every call goes there', async ({ page, backend }) => {
  for (const { path, call } of CALLS) {
    await page.goto(path)
    await backend.called(call)
  }
})

/** The default ports belong to a real server, so the browser's requests to them are led to the backend. */
async function forward(page: Page, origin: string, backend: SpecificationBackend): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const url = route.request().url().replace(origin, backend.origin)
    try {
      const response = await route.fetch({ url })
      const headers = { ...response.headers(), 'access-control-allow-origin': '*' }
      await route.fulfill({ response, headers })
    } catch {
      // A poll that was still on its way when the test ended: nobody waits for its answer.
    }
  })
}
