import type { PageData } from '@binnacle/contract'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPrerenderer, type PrerendererOptions } from './prerenderer.ts'

const PAGE_DATA: PageData = {
  config: { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' },
  capabilities: { capabilities: ['stream'] },
}
/** Far longer than any test takes: the limit is not what these tests are about. */
const PATIENT_MS = 600_000

function open(prerender: string, options: Partial<PrerendererOptions> = {}) {
  const source = `export const warmUp = async () => {}\nexport const prerender = async (address, data) => ${prerender}`
  const folder = temporaryFolder({
    'package.json': '{ "type": "module" }',
    '.vite/prerender/prerender.js': source,
  })
  const faults: string[] = []
  const prerenderer = openPrerenderer({
    folder,
    pageData: PAGE_DATA,
    call: async (path) => ({ status: 200, body: JSON.stringify({ path }) }),
    onFault: (reason) => faults.push(reason),
    maxWaitMs: PATIENT_MS,
    ...options,
  })
  onTestFinished(() => prerenderer?.close())
  return { prerenderer, faults }
}

test('[SHELL-170] a screen is rendered for its address, with the page data and the replies of our server', async () => {
  const { prerenderer, faults } = open(
    "[address, data.capabilities.capabilities[0], (await (await fetch('http://localhost:1/api/orders?a=1')).json()).path].join(' ')",
  )
  const screen = await prerenderer?.render('http://localhost:1/trader/orders?tab=open')
  expect(screen?.html).toBe('http://localhost:1/trader/orders?tab=open stream /api/orders?a=1')
  expect(faults).toEqual([])
})

test('[SHELL-210] a rendering comes with the replies that it shows, and not with those of the one before', async () => {
  const { prerenderer } = open("(await fetch('http://localhost:1/api' + new URL(address).pathname)).text()")
  await prerenderer?.render('http://localhost:1/orders')
  const screen = await prerenderer?.render('http://localhost:1/positions?a=1')
  expect(screen?.replies).toEqual({ '/api/positions': '{"path":"/api/positions"}' })
})

test('[SHELL-174] a rendering that fails is left out and reported, and the next one is tried', async () => {
  const { prerenderer, faults } = open(
    "address.endsWith('/bad') ? Promise.reject(new Error('no such hook')) : 'fine'",
  )
  expect(await prerenderer?.render('http://localhost:1/bad')).toEqual({ html: undefined, replies: {} })
  expect(faults.join()).toContain('no such hook')
  expect(await prerenderer?.render('http://localhost:1/good')).toMatchObject({ html: 'fine' })
})

test('[SHELL-174] a call that is not answered leaves the screen without its reply', async () => {
  const call = () => Promise.reject(new Error('closing'))
  const { prerenderer, faults } = open("String((await fetch('http://localhost:1/api/orders')).status)", {
    call,
  })
  expect(await prerenderer?.render('http://localhost:1/')).toMatchObject({ html: '503', replies: {} })
  expect(faults).toEqual(['/api/orders: Error: closing'])
})

test('[SHELL-174] a rendering that takes too long is left out', async () => {
  const { prerenderer } = open('new Promise(() => {})', { maxWaitMs: 0 })
  expect(await prerenderer?.render('http://localhost:1/')).toEqual({ html: undefined, replies: {} })
})

test('[SHELL-174] a thread that ends leaves the rendering out, and the next page starts another', async () => {
  const { prerenderer } = open("address.endsWith('/bad') ? process.exit(1) : 'fine'")
  expect(await prerenderer?.render('http://localhost:1/bad')).toEqual({ html: undefined, replies: {} })
  expect(await prerenderer?.render('http://localhost:1/good')).toMatchObject({ html: 'fine' })
})

test('[SHELL-403] a thread that hangs is ended after 30 s, and the next page starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const begun = Promise.withResolvers<void>()
  const { prerenderer, faults } = open(
    "{ if (address.endsWith('/good')) return 'fine'; await fetch('http://localhost:1/begun'); for (;;); }",
    {
      async call() {
        begun.resolve()
        return { status: 200, body: '' }
      },
    },
  )
  const hung = prerenderer?.render('http://localhost:1/bad')
  await begun.promise
  vi.advanceTimersByTime(30_000)
  expect((await hung)?.html).toBeUndefined()
  expect(faults).toEqual([
    'http://localhost:1/bad was not rendered within 30 s. The thread is started again.',
  ])
  expect(await prerenderer?.render('http://localhost:1/good')).toMatchObject({ html: 'fine' })
})

test('[SHELL-174] a site that was built without a rendering has none', () => {
  const options = { pageData: PAGE_DATA, call: async () => ({ status: 200, body: '' }), onFault: () => {} }
  expect(openPrerenderer({ ...options, folder: temporaryFolder() })).toBeUndefined()
})
