import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { CallReply, PrerenderAnswer, PrerenderRequest, PrerenderThread } from './prerenderer.ts'

/** Renders the screens of the built site, one after another, with replies that it requests from the API thread. */

const port = parentPort
if (port === null) throw new Error('This file is started as a worker.')

// Given by prerenderer.ts.
const { file, pageData } = workerData as PrerenderThread
const calls = new Map<number, (reply: CallReply) => void>()
let lastCall = 0
/** The id of the request that is rendered; 0 while the thread warms up. */
let current = 0

// Node's own ones would warn, or be shared by all readers of the site.
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true })

globalThis.fetch = async (input, { method = 'GET' } = {}) => {
  if (method !== 'GET') throw new Error(`A rendering sends no ${method}.`)
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  lastCall += 1
  const id = lastCall
  const replied = new Promise<CallReply>((resolve) => calls.set(id, resolve))
  const path = pathname + search
  port.postMessage({ kind: 'call', id, rendering: current, path } satisfies PrerenderAnswer)
  const { status, body } = await replied
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}

// The built site is not part of this program: its build declares the export.
const site = import(pathToFileURL(file).href) as Promise<{
  prerender: (address: string, pageData: unknown) => Promise<string>
  warmUp: (pageData: unknown) => Promise<void>
}>
let rendering = site.then(({ warmUp }) => warmUp(pageData)).catch((error) => fail(0, error))

port.on('message', (message: PrerenderRequest | CallReply) => {
  if (message.kind === 'reply') {
    calls.get(message.id)?.(message)
    calls.delete(message.id)
    return
  }
  rendering = rendering.then(() => render(message)).catch((error) => fail(message.id, error))
})

async function render({ id, address }: PrerenderRequest): Promise<void> {
  const { prerender } = await site
  current = id
  const html = await prerender(address, pageData)
  port?.postMessage({ kind: 'rendered', id, html } satisfies PrerenderAnswer)
}

function fail(id: number, error: unknown): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  port?.postMessage({ kind: 'failed', id, reason } satisfies PrerenderAnswer)
}
