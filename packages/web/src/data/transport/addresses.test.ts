import { describe, expect, test } from 'vitest'
import { parseJson } from '#data/failure.ts'
import { resolveAddresses } from './addresses.ts'

const page = { protocol: 'http:', hostname: 'desk.local', origin: 'http://desk.local:9000' }

describe('addresses', () => {
  test.each([
    ['no answer', undefined],
    ['a page instead of JSON', '<!doctype html>'],
    ['JSON of another kind', '{"name":"something"}'],
  ])('[CALL-2] with %s from /config.json are the page’s host and ports 8000, 8001 and 8002', (_, text) => {
    expect(resolveAddresses(page, parseJson(text ?? ''), {})).toEqual({
      trading: 'http://desk.local:8000',
      admin: 'http://desk.local:8001',
      database: 'http://desk.local:8002',
    })
  })

  test('[CALL-3] a slash in /config.json means the page’s own origin', () => {
    const config = { trading_api_url: '/', admin_api_url: '/', database_api_url: 'http://db:1/x/' }
    expect(resolveAddresses(page, config, {})).toEqual({
      trading: 'http://desk.local:9000',
      admin: 'http://desk.local:9000',
      database: 'http://db:1/x',
    })
  })

  test('[CALL-2] [CALL-35] the two settings of the build win over everything', () => {
    const config = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }
    const built = { trading: 'http://engine:1', admin: 'http://admin:2/' }
    expect(resolveAddresses(page, config, built)).toMatchObject({
      trading: 'http://engine:1',
      admin: 'http://admin:2',
    })
  })
})
