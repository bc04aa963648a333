import { hash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PAGE_DATA_ID, type PageData } from '@binnacle/contract'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StartRefusal } from '#storage/start-refusal.ts'

const SITE_PAGE = 'index.html'
const MANIFEST = join('.vite', 'manifest.json')
/** SHELL-43: the module and the first calls of each screen, by path; written by the site's build. */
const SCREENS = join('.vite', 'screens.json')
/** The part of the site around every screen but home. */
const SHELL = 'src/app/shell/shell.tsx'

/** Names under assets/ contain a content hash, so copies never go stale; other files may change. */
const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable'
const CACHE_REVALIDATE = 'no-cache'

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

/** Serves the files of the built site; other paths go to the app's not-found handler. */
export function serveSite(app: FastifyInstance, site: Site): void {
  const { folder } = site
  const assets = join(folder, 'assets') + sep
  app.get('/', (request, reply) => sendPage(request, reply, site))
  app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? CACHE_IMMUTABLE : CACHE_REVALIDATE)
    },
  })
}

/** Sends the page of any screen, with the data and the files that the screen needs first. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
): Promise<FastifyReply> {
  const page = await readFile(join(site.folder, SITE_PAGE), 'utf8')
  const links = await screenLinks(site, pathOf(request))
  // Nothing in it can end the element.
  const data = JSON.stringify(site.pageData).replaceAll('<', '\\u003c')
  const html = page.replace(
    '</head>',
    () => `${links}<script type="application/json" id="${PAGE_DATA_ID}">${data}</script></head>`,
  )
  const etag = `"${hash('sha256', html, 'base64url')}"`
  reply.header('cache-control', CACHE_REVALIDATE).header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(html)
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
async function screenLinks({ folder, pageData, hasSeveralEngines }: Site, path: string): Promise<string> {
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
  const isOwn = Object.values(pageData.config).every((url) => url === '/')
  return [
    ...(isOwn && !hasSeveralEngines ? (screen?.calls ?? []) : []).map(
      (call) => `<link rel="preload" as="fetch" crossorigin href="${call.replaceAll('&', '&amp;')}">`,
    ),
    ...[...chunks].flatMap(({ file, css = [] }) => [
      `<link rel="modulepreload" crossorigin href="/${file}">`,
      ...css.map((sheet) => `<link rel="stylesheet" crossorigin href="/${sheet}">`),
    ]),
  ].join('')
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
