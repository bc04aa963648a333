import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_DATA_ID, PAGE_REPLIES_ID, type PageData } from '@binnacle/contract'
import { builtSite, temporaryFolder } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { checkSiteExists } from './site.ts'

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const IMAGE = 'image/avif,image/webp,*/*;q=0.8'

const PAGE_DATA: PageData = {
  config: { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' },
  capabilities: { version: '</script>', capabilities: ['stream'] },
}

let app: FastifyInstance
let folder: string

beforeEach(() => {
  folder = builtSite()
  app = createHttpApp({ logger: silentLog, site: { folder, pageData: PAGE_DATA } })
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
  expect(reply.body).toContain('<title>Binnacle</title>')
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers['cache-control']).toBe('no-cache')
})

test('[CALL-85] the page carries the addresses and capabilities, and nothing in them ends the element', async () => {
  const { body } = await app.inject({ url: '/trader', headers: { accept: HTML } })
  const element = new RegExp(`<script type="application/json" id="${PAGE_DATA_ID}">(.*?)</script></head>`)
  expect(JSON.parse(element.exec(body)?.[1] ?? '')).toEqual(PAGE_DATA)
})

test('[CALL-86] the page of a screen names the files of the shell, the home page does not', async () => {
  const page = async (url: string) => (await app.inject({ url, headers: { accept: HTML } })).body
  expect(await page('/trader')).toContain('<link rel="modulepreload" crossorigin href="/assets/shell-1.js">')
  expect(await page('/trader')).toContain('<link rel="modulepreload" crossorigin href="/assets/parts-2.js">')
  expect(await page('/trader')).toContain('<link rel="stylesheet" crossorigin href="/assets/shell-3.css">')
  expect(await page('/')).not.toContain('modulepreload')
})

test('[SHELL-43] the page of a screen names the files and the first calls of that screen', async () => {
  const page = async (url: string) => (await app.inject({ url, headers: { accept: HTML } })).body
  const module = '<link rel="modulepreload" crossorigin href="/assets/orders-4.js">'
  const call = '<link rel="preload" as="fetch" crossorigin href="/api/orders?a=1&amp;b=2">'
  for (const url of ['/trader/orders', '/trader/orders/', '/trader/orders?tab=open']) {
    expect(await page(url)).toContain(module)
    expect(await page(url)).toContain(call)
  }
  expect(await page('/trader')).not.toContain(module)
  expect(await page('/trader')).not.toContain('as="fetch"')
})

test('[ENGS-25] with several engines the page names no calls, whose replies would be those of the first one', async () => {
  const several = createHttpApp({
    logger: silentLog,
    site: { folder, pageData: PAGE_DATA, hasSeveralEngines: true },
  })
  const { body } = await several.inject({ url: '/trader/orders', headers: { accept: HTML } })
  expect(body).toContain('<link rel="modulepreload" crossorigin href="/assets/orders-4.js">')
  expect(body).not.toContain('as="fetch"')
})

test('[SHELL-43] the page names no calls of a backend elsewhere', async () => {
  const config = { ...PAGE_DATA.config, admin_api_url: 'http://admin.test:1' }
  const elsewhere = createHttpApp({
    logger: silentLog,
    site: { folder, pageData: { ...PAGE_DATA, config } },
  })
  const { body } = await elsewhere.inject({ url: '/trader/orders', headers: { accept: HTML } })
  expect(body).toContain('/assets/orders-4.js')
  expect(body).not.toContain('as="fetch"')
})

/** A site whose rendering needs no time. */
function renderedSite(prerender = "'<h1>' + new URL(address).pathname + '</h1>'") {
  return temporaryFolder({
    'package.json': '{ "type": "module" }',
    'index.html':
      '<head><script type="module" crossorigin src="/assets/index-1.js"></script></head><div id="root"></div>',
    '.vite/prerender/prerender.js': `
      export const warmUp = async () => {}
      export const prerender = async (address) => ${prerender}
    `,
  })
}

test('[SHELL-170] [SHELL-171] the page has its screen, inert, and starts its code after the paint', async () => {
  const rendered = createHttpApp({ logger: silentLog, site: { folder: renderedSite(), pageData: PAGE_DATA } })
  onTestFinished(() => rendered.close())
  const page = async () => (await rendered.inject({ url: '/trader', headers: { accept: HTML } })).body
  // A thread on a busy machine may start later than a page is sent.
  await expect.poll(page).toContain('<div id="root" inert aria-hidden="true"><h1>/trader</h1></div>')
  expect(await page()).toContain('<script src="/start.js" data-module="/assets/index-1.js"></script>')
  expect(await page()).not.toContain('type="module"')
})

test('[SHELL-211] what comes before the screen is sent before it is rendered', async () => {
  const folder = renderedSite('new Promise(() => {})')
  const server = createHttpApp({ logger: silentLog, site: { folder, pageData: PAGE_DATA } })
  onTestFinished(() => server.close())
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const leave = new AbortController()
  const response = await fetch(`${url}/trader`, { headers: { accept: HTML }, signal: leave.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  leave.abort()
  expect(new TextDecoder().decode(value)).toContain(
    '<link rel="modulepreload" crossorigin href="/assets/index-1.js">',
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('[SHELL-210] the page has the replies that it was rendered with, and nothing in them ends the element', async () => {
  const folder = renderedSite("(await fetch(new URL('/api/orders', address))).text()")
  const server = createHttpApp({ logger: silentLog, site: { folder, pageData: PAGE_DATA } })
  server.get('/api/orders', async () => ({ name: '</script>' }))
  onTestFinished(() => server.close())
  const page = async () => (await server.inject({ url: '/trader/orders', headers: { accept: HTML } })).body
  const replies = JSON.stringify({ '/api/orders': '{"name":"</script>"}' }).replaceAll('<', '\\u003c')
  await expect
    .poll(page)
    .toContain(`<script type="application/json" id="${PAGE_REPLIES_ID}">${replies}</script>`)
  expect(await page()).not.toContain('as="fetch"')
})

test.each([
  ['several engines', { hasSeveralEngines: true }],
  [
    'a backend elsewhere',
    { pageData: { ...PAGE_DATA, config: { ...PAGE_DATA.config, admin_api_url: 'http://admin.test:1' } } },
  ],
])('[SHELL-174] with %s the page is sent without its screen', async (_, site) => {
  const unknown = createHttpApp({
    logger: silentLog,
    site: { folder: renderedSite(), pageData: PAGE_DATA, ...site },
  })
  const { body } = await unknown.inject({ url: '/trader', headers: { accept: HTML } })
  expect(body).toContain('<div id="root"></div>')
  expect(body).toContain('<script type="module" crossorigin src="/assets/index-1.js"></script>')
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
  const small = createHttpApp({
    logger: silentLog,
    site: { folder: join(outside, 'site'), pageData: PAGE_DATA },
  })
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
