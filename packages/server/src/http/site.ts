import { hash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { PAGE_DATA_ID, PAGE_REPLIES_ID, type PageData } from '@binnacle/contract'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StartRefusal } from '#config/start-refusal.ts'
import {
  openPrerenderer,
  type Prerenderer,
  type PrerendererOptions,
  type RenderedScreen,
} from '#site/prerenderer.ts'

const SITE_PAGE = 'index.html'
/** Where the console renders itself. */
const ROOT = '<div id="root"></div>'
const PRERENDER_START_MS = 1_000
/** Its code, which start.js of the site starts after the first paint of a screen that the server rendered. */
const MODULE = /<script type="module" crossorigin src="([^"]+)"><\/script>/
const MANIFEST = join('.vite', 'manifest.json')
/** SHELL-43: the module and the first calls of each screen, by path; written by the site's build. */
const SCREENS = join('.vite', 'screens.json')
/** The part of the site around every screen but home. */
const SHELL = 'src/app/shell/shell.tsx'

/** Names under assets/ contain a content hash, so copies never go stale; other files may change. */
const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable'
const CACHE_REVALIDATE = 'no-cache'
/** SHELL-211: Back must not show the figures of an earlier visit. */
const CACHE_NEVER = 'no-store'

export async function checkSiteExists(folder: string): Promise<void> {
  await access(join(folder, SITE_PAGE)).catch(() => {
    throw new StartRefusal(
      `The site is not built: there is no ${SITE_PAGE} in ${folder}. Run 'npm run build', or set BINNACLE_SITE to the folder of a built site.`,
    )
  })
}

export interface Site {
  folder: string
  /** What the page carries, so that the console need not ask for it. */
  pageData: PageData
  /** A browser matches a preloaded reply by its address alone, so that of the first engine would serve any other. */
  hasSeveralEngines?: boolean
}

/** Sends the page of any screen. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves the files of the built site; other paths go to the app's not-found handler, which sends pages. */
export function serveSite(app: FastifyInstance, site: Site): SendPage {
  const { folder, pageData } = site
  const assets = join(folder, 'assets') + sep
  const prerenderer = namesCalls(site) ? openPrerenderer({ folder, pageData, ...callsOf(app) }) : undefined
  const send: SendPage = (request, reply) => sendPage(request, reply, site, prerenderer)
  app.get('/', send)
  // Before the first page, but not while the server itself starts.
  const timer = setTimeout(() => prerenderer?.start(), PRERENDER_START_MS).unref()
  app.addHook('onClose', async () => {
    clearTimeout(timer)
    await prerenderer?.close()
  })
  app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? CACHE_IMMUTABLE : CACHE_REVALIDATE)
    },
  })
  return send
}

function callsOf(app: FastifyInstance): Pick<PrerendererOptions, 'call' | 'onFault'> {
  return {
    async call(url) {
      const { statusCode, body } = await app.inject({ url, headers: { accept: 'application/json' } })
      return { status: statusCode, body }
    },
    onFault: (reason) => app.log.warn({ event: 'page.prerender', message: reason }),
  }
}

/** The page, with the data and the files that the screen needs first, and the screen as it is first rendered. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  prerenderer: Prerenderer | undefined,
): Promise<FastifyReply> {
  const screen =
    request.method === 'GET' ? prerenderer?.render(`http://${request.host}${request.url}`) : undefined
  const [page, links] = await Promise.all([
    readFile(join(site.folder, SITE_PAGE), 'utf8'),
    screenLinks(site, pathOf(request), { hasCalls: screen === undefined && namesCalls(site) }),
  ])
  const html = page.replace('</head>', () => `${links}${dataElement(PAGE_DATA_ID, site.pageData)}</head>`)
  reply.type('text/html; charset=utf-8')
  if (screen !== undefined) {
    return reply.header('cache-control', CACHE_NEVER).send(Readable.from(pageParts(html, screen)))
  }
  const etag = `"${hash('sha256', html, 'base64url')}"`
  reply.header('cache-control', CACHE_REVALIDATE).header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.send(html)
}

/** SHELL-211: what comes before the screen is sent at once, so that the browser loads files while it is rendered. */
async function* pageParts(page: string, rendering: Promise<RenderedScreen>): AsyncGenerator<string> {
  const module = MODULE.exec(page)?.[1] ?? ''
  const [before = '', after = ''] = page
    .replace(
      MODULE,
      () =>
        `<link rel="modulepreload" crossorigin href="${module}"><link rel="preload" as="script" href="/start.js">`,
    )
    .split(ROOT)
  yield before
  const { html, replies } = await rendering
  // SHELL-171: nothing in it can be pressed or read out until the console has replaced it.
  yield html === undefined ? ROOT : `<div id="root" inert aria-hidden="true">${html}</div>`
  yield dataElement(PAGE_REPLIES_ID, replies)
  yield html === undefined
    ? `<script type="module" crossorigin src="${module}"></script>`
    : `<script src="/start.js" data-module="${module}"></script>`
  yield after
}

/** Nothing in the data can end the element. */
function dataElement(id: string, data: object): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

interface ScreenFiles {
  module: string
  calls: string[]
}

/**
 * Links that load the shell, the screen and its first replies beside the first script instead of after it. Without the
 * files of the build they are loaded later.
 */
async function screenLinks(
  { folder }: Site,
  path: string,
  { hasCalls }: { hasCalls: boolean },
): Promise<string> {
  if (path === '/') return ''
  const manifest = await readBuildFile<Chunk>(folder, MANIFEST)
  const screen = (await readBuildFile<ScreenFiles>(folder, SCREENS))[path.replace(/\/+$/, '')]
  const chunks = new Set<Chunk>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined || chunks.has(chunk)) return
    chunks.add(chunk)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  add(SHELL)
  if (screen !== undefined) add(screen.module)
  return [
    // First, since the first paint waits for them.
    ...[...chunks].flatMap(({ css = [] }) =>
      css.map((sheet) => `<link rel="stylesheet" crossorigin href="/${sheet}">`),
    ),
    ...(hasCalls ? (screen?.calls ?? []) : []).map(
      (call) => `<link rel="preload" as="fetch" crossorigin href="${call.replaceAll('&', '&amp;')}">`,
    ),
    ...[...chunks].map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('')
}

/** Whether this server alone knows what the console shows first. */
function namesCalls({ pageData, hasSeveralEngines }: Site): boolean {
  return !hasSeveralEngines && Object.values(pageData.config).every((url) => url === '/')
}

async function readBuildFile<Entry>(folder: string, name: string): Promise<Record<string, Entry>> {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8'))
  } catch {
    return {}
  }
}

/** Client routing: the path of a screen gets the page; a missing file or call is a 404. */
export function isPageRequest(request: FastifyRequest): boolean {
  const { method, headers } = request
  const path = pathOf(request)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(path)) return false
  const accept = headers.accept ?? '*/*'
  const namesFile = /\.[^/]*$/.test(path)
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile)
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}
