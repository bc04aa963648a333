import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { builtSite, temporaryFolder } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { checkSiteExists } from './site.ts'

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const IMAGE = 'image/avif,image/webp,*/*;q=0.8'

let app: FastifyInstance
let folder: string

beforeEach(() => {
  folder = builtSite()
  app = createHttpApp({ logger: silentLog, siteFolder: folder })
})

test.each([
  ['/', HTML],
  ['/index.html', HTML],
  ['/trader/orders', HTML],
  ['/trader/orders', '*/*'],
  ['/nowhere/at.all', HTML],
  ['/trader?tab=1.2', '*/*'],
  ['/apidocs', HTML],
])('%s requested as %s is the page, revalidated each time', async (url, accept) => {
  const reply = await app.inject({ url, headers: { accept } })
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toBe('<!doctype html><title>Binnacle</title>')
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers['cache-control']).toBe('no-cache')
})

test('an unchanged page answers 304', async () => {
  const { headers } = await app.inject('/')
  const reply = await app.inject({ url: '/', headers: { 'if-none-match': headers.etag } })
  expect(reply.statusCode).toBe(304)
})

test('a hashed file is cached for a year, any other is revalidated', async () => {
  const hashed = await app.inject('/assets/main-4f2a.js')
  expect(hashed.body).toBe('void 1')
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const plain = await app.inject('/colour-scheme.js')
  expect(plain.body).toBe('void 0')
  expect(plain.headers['cache-control']).toBe('no-cache')
})

test.each([
  ['/assets/main-0000.js', '*/*'],
  ['/assets/main-0000.js', HTML],
  ['/assets/', HTML],
  ['/favicon.ico', IMAGE],
  ['/colour.js', '*/*'],
  ['/trader', 'application/json'],
  ['/api/nothing', HTML],
  ['/api', HTML],
])('%s requested as %s is not found', async (url, accept) => {
  const reply = await app.inject({ url, headers: { accept } })
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({ code: 'route.unknown' })
})

test('only a GET or HEAD gets the page', async () => {
  const headers = { accept: HTML }
  expect((await app.inject({ method: 'HEAD', url: '/trader', headers })).statusCode).toBe(200)
  expect((await app.inject({ method: 'POST', url: '/trader', headers })).statusCode).toBe(404)
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/.hidden',
])('%s cannot leave the site folder', async (url) => {
  const outside = temporaryFolder({
    'secret.txt': 'hunter2',
    'site/index.html': 'page',
    'site/.hidden': 'hunter2',
  })
  const small = createHttpApp({ logger: silentLog, siteFolder: join(outside, 'site') })
  const reply = await small.inject({ url, headers: { accept: 'text/plain' } })
  expect(reply.statusCode).toBe(404)
  expect(reply.body).not.toContain('hunter2')
})

test('a missing site is refused with a remedy', async () => {
  rmSync(join(folder, 'index.html'))
  await expect(checkSiteExists(folder)).rejects.toThrow(
    `The site is not built: there is no index.html in ${folder}. Run 'npm run build', or set BINNACLE_SITE to the folder of a built site.`,
  )
})
