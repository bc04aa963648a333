import type { IncomingMessage } from 'node:http'
import { type Authority, parseAuthority } from '#config/authority.ts'
import { Refused } from './problems.ts'

export interface RequestGuardPolicy {
  /** Accepted host names besides the loopback names. */
  allowedHosts: readonly Authority[]
  /** Origins of other sites that may send requests and read the replies. */
  corsOrigins: readonly string[]
}

/**
 * Decides which requests are accepted, before routing. Without it any page open in the browser could control this server
 * by a form, a fetch, a WebSocket or DNS rebinding.
 */
export interface RequestGuard {
  /** Ports of this server's listeners; a port chosen at start is added when it is known. */
  readonly ownPorts: Set<number>
  refusal(request: IncomingMessage): Refused | undefined
  isConfiguredOrigin(origin: string | undefined): origin is string
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const SAFE_METHODS = new Set(['GET', 'HEAD'])

export function createRequestGuard(policy: RequestGuardPolicy): RequestGuard {
  const ownPorts = new Set<number>()
  const corsOrigins = new Set(policy.corsOrigins)

  function isConfiguredHost(host: Authority, ports: ReadonlySet<number>): boolean {
    return policy.allowedHosts.some((allowed) => {
      if (allowed.name !== host.name) return false
      if (allowed.port !== undefined) return allowed.port === host.port
      return host.port === undefined || ports.has(host.port)
    })
  }

  function isOwnHost(host: Authority | undefined, ownPort: number): boolean {
    if (host === undefined) return false
    const isOwnPort = host.port === undefined || host.port === ownPort
    if (isOwnPort && LOOPBACK_NAMES.includes(host.name)) return true
    return isConfiguredHost(host, new Set([ownPort]))
  }

  function isOwnOrigin(origin: string): boolean {
    const [, scheme, authority] = /^(https?):\/\/(.+)$/.exec(origin) ?? []
    const host = parseAuthority(authority ?? '')
    if (host === undefined) return false
    // An origin without a port means port 80, which another program may serve.
    const isLoopback = LOOPBACK_NAMES.includes(host.name) && ownPorts.has(host.port ?? 80)
    return (scheme === 'http' && isLoopback) || isConfiguredHost(host, ownPorts)
  }

  function isOriginAllowed(site: string | undefined, origin: string | undefined): boolean {
    if (origin !== undefined && corsOrigins.has(origin)) return true
    const isOwn = origin !== undefined && isOwnOrigin(origin)
    if (site === 'same-site') return isOwn
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    return isOwn || origin === undefined
  }

  return {
    ownPorts,
    isConfiguredOrigin: (origin): origin is string => origin !== undefined && corsOrigins.has(origin),
    refusal(request) {
      const hosts = hostsOf(request)
      const ownPort = request.socket.localPort ?? 0
      if (hosts.length === 0 || !hosts.every((host) => isOwnHost(host, ownPort))) return HOST_REFUSAL
      return isOriginAllowed(effectiveSite(request), request.headers.origin) ? undefined : ORIGIN_REFUSAL
    },
  }
}

const HOST_REFUSAL = new Refused(
  'door.host',
  'The Host header does not name this server. Open it as localhost, or add the name to BINNACLE_ALLOWED_HOSTS.',
)

const ORIGIN_REFUSAL = new Refused(
  'door.origin',
  'The request comes from a page of another site. Use the console, or add that origin to BINNACLE_CORS_ORIGINS.',
)

let lastHost = { text: '', authority: parseAuthority('') }

/** Caches the last Host header: nearly all requests have the same one. */
function parseHost(text: string): Authority | undefined {
  if (text !== lastHost.text) lastHost = { text, authority: parseAuthority(text) }
  return lastHost.authority
}

/** Returns the hosts of a request: the Host header and an absolute request target. */
function hostsOf(request: IncomingMessage): (Authority | undefined)[] {
  // Node uses the first of two Host headers and proxies may use the last, so two are refused.
  if (countHosts(request) !== 1) return []
  const named = [parseHost(request.headers.host ?? '')]
  const target = request.url ?? ''
  if (target.startsWith('/') || target === '*') return named
  const [, authority] = /^http:\/\/([^/?#]*)/i.exec(target) ?? []
  return [...named, parseAuthority(authority ?? '')]
}

/** Counted in the raw list: `headersDistinct` builds an object of all headers, for every request. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  return count
}

const HOST = 'host'

/**
 * Returns the Sec-Fetch-Site value that applies. Changes use it as it is. Reads only refuse cross-site, because an image
 * or frame could start an export; a link from another site may open a page.
 */
function effectiveSite(request: IncomingMessage): string | undefined {
  // Node joins several; none of the accepted values has a comma.
  const site = request.headers['sec-fetch-site']?.toString()
  if (changesState(request)) return site
  return site?.includes('cross-site') && !opensPage(request) ? 'cross-site' : undefined
}

/** The router decodes paths, so a first part with percent-encoding may be `api` and is not a page. */
const API_TARGET = /^(?:http:\/\/[^/?#]*)?\/(?:api|[^/?#]*%[^/?#]*)(?:[/?#]|$)/i

function opensPage({ headers, url = '' }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest = 'document' } = headers
  return mode === 'navigate' && dest === 'document' && !API_TARGET.test(url)
}

function changesState(request: IncomingMessage): boolean {
  return !SAFE_METHODS.has(request.method ?? '') || request.headers.upgrade !== undefined
}
