import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'

const SITE = resolve(process.env.BINNACLE_SITE ?? join(import.meta.dirname, '../../packages/web/dist'))

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** Serves the built console; a path of the console's own, which is no file, gets the page. */
export async function serveSite(path: string, accepts: string, response: ServerResponse): Promise<void> {
  const file = resolve(join(SITE, path))
  const found = file.startsWith(SITE + sep) ? await read(file) : undefined
  if (found) return send(response, file, found)
  if (!accepts.includes('text/html')) return notFound(response)
  const page = await read(join(SITE, 'index.html'))
  return page ? send(response, 'index.html', page) : notFound(response)
}

/** Without a site every journey would fail late and obscurely. */
export function requireSite(): void {
  if (existsSync(join(SITE, 'index.html'))) return
  throw new Error(
    `There is no built site in ${SITE}: run npm run build, or name another folder in BINNACLE_SITE`,
  )
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, file: string, content: Buffer): void {
  const type = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
  const caching = file.includes(`${sep}assets${sep}`) ? 'max-age=31536000, immutable' : 'no-cache'
  response.writeHead(200, { 'content-type': type, 'cache-control': caching }).end(content)
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Not Found')
}
