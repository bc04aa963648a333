import { access } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StartRefusal } from '#storage/start-refusal.ts'

export const SITE_PAGE = 'index.html'

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

/** Serves the files of the built site; other paths go to the app's not-found handler. */
export function serveSite(app: FastifyInstance, folder: string): void {
  const assets = join(folder, 'assets') + sep
  app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? CACHE_IMMUTABLE : CACHE_REVALIDATE)
    },
  })
}

/** Client routing: the path of a screen gets the page; a missing file or call is a 404. */
export function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(path)) return false
  const accept = headers.accept ?? '*/*'
  const namesFile = /\.[^/]*$/.test(path)
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile)
}
