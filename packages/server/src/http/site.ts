import { access } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StartRefusal } from '#start-refusal.ts'

const PAGE = 'index.html'

/** Names under assets/ carry a hash of their content, so a copy never goes stale; all else may change any time. */
const FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATED = 'no-cache'

export async function refuseMissingSite(folder: string): Promise<void> {
  await access(join(folder, PAGE)).catch(() => {
    throw new StartRefusal(
      `The site is not built: there is no ${PAGE} in ${folder}. Run 'npm run build', or set BINNACLE_SITE to the folder of a built site.`,
    )
  })
}

/** Serves the files of the built site; what is no file goes to the app's not-found handler. */
export function serveSite(app: FastifyInstance, folder: string): void {
  const assets = join(folder, 'assets') + sep
  app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? FOREVER : REVALIDATED)
    },
  })
}

/** Client routing: the address of a screen gets the page, while a missing file or call stays missing. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(path)) return false
  const accept = headers.accept ?? '*/*'
  const namesFile = /\.[^/]*$/.test(path)
  return accept.includes('text/html') || (accept.includes('*/*') && !namesFile)
}

export { PAGE as SITE_PAGE }
