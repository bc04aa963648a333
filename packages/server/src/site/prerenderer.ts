import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PageData } from '@binnacle/contract'

export interface PrerenderRequest {
  readonly kind: 'render'
  readonly id: number
  readonly address: string
}

interface SiteCall {
  readonly kind: 'call'
  readonly id: number
  /** The id of the request that is rendered. */
  readonly rendering: number
  readonly path: string
}

/** The reply to a call that the site makes while it renders. */
export interface CallReply {
  readonly kind: 'reply'
  readonly id: number
  readonly status: number
  readonly body: string
}

export interface RenderedScreen {
  /** Undefined if rendering fails or takes too long. */
  readonly html: string | undefined
  /** Those of its calls that came in time, by path. */
  readonly replies: Readonly<Record<string, string>>
}

/** What the thread is started with. */
export interface PrerenderThread {
  /** The rendering of the built site. */
  readonly file: string
  readonly pageData: PageData
}

export type PrerenderAnswer =
  | SiteCall
  | { readonly kind: 'rendered'; readonly id: number; readonly html: string }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }

export interface PrerendererOptions {
  /** The folder of the built site. */
  folder: string
  pageData: PageData
  /** Answers a GET of the site. */
  call(path: string): Promise<Pick<CallReply, 'status' | 'body'>>
  onFault(reason: string): void
  maxWaitMs?: number
}

export interface Prerenderer {
  /** Starts its thread, so that the first page need not wait for it. */
  start(): void
  /** The screen at this address as the console first renders it. */
  render(address: string): Promise<RenderedScreen>
  close(): Promise<void>
}

/** Written by the site's build. */
const PRERENDER_FILE = join('.vite', 'prerender', 'prerender.js')
/** A page that waits longer is sent without its first rendering. */
const MAX_WAIT_MS = 500
/** A thread that has not answered by then never will: it is ended, and the next page starts another. */
const MAX_RENDER_MS = 30_000
/** Further pages are sent without. */
const MAX_WAITING = 8
const MAX_HEAP_MB = 192

interface PendingScreen {
  readonly replies: Record<string, string>
  resolve(html: string | undefined): void
  /** Ends a thread that does not answer. */
  readonly watchdog: NodeJS.Timeout
}

/** Renders in a thread of its own. Undefined if the site was built without a rendering. */
export function openPrerenderer(options: PrerendererOptions): Prerenderer | undefined {
  const file = join(options.folder, PRERENDER_FILE)
  if (!existsSync(file)) return undefined
  const pending = new Map<number, PendingScreen>()
  let worker: Worker | undefined
  let lastId = 0

  function started(): Worker {
    if (worker !== undefined) return worker
    const created = new Worker(new URL('./prerender.worker.ts', import.meta.url), {
      workerData: { file, pageData: options.pageData } satisfies PrerenderThread,
      name: 'prerender',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    created.unref()
    created.on('message', (answer: PrerenderAnswer) => {
      if (answer.kind === 'call') void reply(created, answer)
      else settle(answer)
    })
    created.on('error', (fault) => options.onFault(String(fault)))
    // The next page starts a new thread.
    created.on('exit', () => {
      if (worker === created) worker = undefined
      for (const id of pending.keys()) finish(id, undefined)
    })
    worker = created
    return created
  }

  async function reply(to: Worker, { id, rendering, path }: SiteCall): Promise<void> {
    const { status, body } = await options.call(path).catch((fault) => {
      options.onFault(`${path}: ${fault}`)
      return { status: 503, body: '' }
    })
    const screen = pending.get(rendering)
    if (screen !== undefined && status === 200) screen.replies[path] = body
    to.postMessage({ kind: 'reply', id, status, body } satisfies CallReply)
  }

  function settle(answer: Exclude<PrerenderAnswer, { kind: 'call' }>): void {
    if (answer.kind === 'failed') options.onFault(answer.reason)
    finish(answer.id, answer.kind === 'rendered' ? answer.html : undefined)
  }

  function finish(id: number, html: string | undefined): void {
    const screen = pending.get(id)
    clearTimeout(screen?.watchdog)
    pending.delete(id)
    screen?.resolve(html)
  }

  function endHung(hung: Worker, address: string): void {
    options.onFault(
      `${address} was not rendered within ${MAX_RENDER_MS / 1000} s. The thread is started again.`,
    )
    void hung.terminate()
  }

  return {
    start: () => void started(),
    async render(address) {
      const replies: Record<string, string> = {}
      if (pending.size >= MAX_WAITING) return { html: undefined, replies }
      lastId += 1
      const id = lastId
      const rendered = Promise.withResolvers<string | undefined>()
      const thread = started()
      const watchdog = setTimeout(() => endHung(thread, address), MAX_RENDER_MS).unref()
      pending.set(id, { replies, resolve: rendered.resolve, watchdog })
      const timer = setTimeout(() => rendered.resolve(undefined), options.maxWaitMs ?? MAX_WAIT_MS)
      thread.postMessage({ kind: 'render', id, address } satisfies PrerenderRequest)
      const html = await rendered.promise
      clearTimeout(timer)
      return { html, replies }
    },
    async close() {
      await worker?.terminate()
    },
  }
}
