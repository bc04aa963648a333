import { expect, test } from 'vitest'
import { SITE_CONFIG_PATH, SiteConfig } from './site-config.ts'

const here = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }

test("[CALL-3] /config.json may say that all three APIs are at the page's own origin", () => {
  expect(SITE_CONFIG_PATH).toBe('/config.json')
  expect(SiteConfig.parse(here)).toEqual(here)
})

test('an address with its scheme is one too, whichever host it names', () => {
  const elsewhere = {
    trading_api_url: 'https://desk.example',
    admin_api_url: 'http://localhost:8001',
    database_api_url: 'http://[::1]:8002/db',
  }
  expect(SiteConfig.parse(elsewhere)).toEqual(elsewhere)
})

test.each(['', 'localhost:8000', 'javascript:alert(1)', '//evil.example', 8000, null])(
  '%j is no address',
  (url) => {
    expect(SiteConfig.safeParse({ ...here, admin_api_url: url }).success).toBe(false)
  },
)
