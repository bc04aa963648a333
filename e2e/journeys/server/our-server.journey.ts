import { HomePage } from '#pages/home.ts'
import { expectOpened } from '#pages/opened.ts'
import { Shell } from '#pages/shell.ts'
import { rememberTheme, shownTheme } from '#pages/theme.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

test('[CALL-3] [SHELL-15] home comes from our server, which is all the browser talks to', async ({
  page,
  server,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const home = new HomePage(page)
  await home.open()
  await expect(home.enterTrader).toBeVisible()
  expect(requested.filter((url) => !url.startsWith(`${server.origin}/`))).toEqual([])
  const config = await (await page.request.get('/config.json')).json()
  expect(config).toMatchObject({ trading_api_url: '/', admin_api_url: '/', database_api_url: '/' })
})

test('the content policy is there and stops a script that the page did not bring', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/content policy|Content Security Policy/)
  const reply = await page.goto('/')
  expect(reply?.headers()['content-security-policy']).toMatch(/script-src 'self'(;|$)/)
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.__xss = 1'
    document.body.append(script)
  })
  expect(await page.evaluate(() => '__xss' in window)).toBe(false)
  // The browser reports it asynchronously.
  await expect.poll(() => watch.errors().join()).toContain('content policy: script-src')
})

test(
  '[SHELL-1] the shell, the palette and the dark theme work under the content policy',
  EDGE,
  async ({ page }) => {
    await rememberTheme(page, 'dark')
    await page.goto('/docs')
    await expectOpened(page, 'Documentation')
    const shell = new Shell(page)
    await expect(shell.connection).toHaveText('Online')
    expect(await shownTheme(page)).toBe('dark')
    await shell.paletteButton.click()
    await expect(shell.palette).toBeVisible()
  },
)
