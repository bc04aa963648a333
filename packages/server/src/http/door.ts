import type { IncomingMessage } from 'node:http'
import { type Authority, parseAuthority } from './authority.ts'
import { Refused } from './problems.ts'

export interface DoorPolicy {
  /** Names by which the listeners may be reached besides the loopback ones. */
  allowedHosts: readonly Authority[]
  /** Origins of other sites that may call, and read what they get. */
  corsOrigins: readonly string[]
}

/**
 * Decides who may call at all, before any routing. Without it every page that a browser has open could
 * drive the console on this machine, by a form, a fetch, a WebSocket or a name that it points at loopback.
 */
export interface Door {
  /** Pages served by our own listeners have these ports; a port chosen at start is added when it is known. */
  readonly ownPorts: Set<number>
  refusal(request: IncomingMessage): Refused | undefined
  isConfiguredOrigin(origin: string | undefined): origin is string
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const READING_METHODS = new Set(['GET', 'HEAD'])

export function createDoor(policy: DoorPolicy): Door {
  const ownPorts = new Set<number>()
  const corsOrigins = new Set(policy.corsOrigins)

  function isConfiguredHost(host: Authority, ports: ReadonlySet<number>): boolean {
    return policy.allowedHosts.some((allowed) => {
      if (allowed.name !== host.name) return false
      if (allowed.port !== undefined) return allowed.port === host.port
      return host.port === undefined || ports.has(host.port)
    })
  }

  function isOurHost(host: Authority | undefined, ownPort: number): boolean {
    if (host === undefined) return false
    const isOwnPort = host.port === undefined || host.port === ownPort
    if (isOwnPort && LOOPBACK_NAMES.includes(host.name)) return true
    return isConfiguredHost(host, new Set([ownPort]))
  }

  function isOwnOrigin(origin: string): boolean {
    const [, scheme, authority] = /^(https?):\/\/(.+)$/.exec(origin) ?? []
    const host = parseAuthority(authority ?? '')
    if (host === undefined) return false
    // An origin without a port means port 80, where another program may be.
    const isLoopback = LOOPBACK_NAMES.includes(host.name) && ownPorts.has(host.port ?? 80)
    return (scheme === 'http' && isLoopback) || isConfiguredHost(host, ownPorts)
  }

  function mayCross(site: string | undefined, origin: string | undefined): boolean {
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
      if (hosts.length === 0 || !hosts.every((host) => isOurHost(host, ownPort))) return HOST_REFUSAL
      return mayCross(siteThatCounts(request), request.headers.origin) ? undefined : ORIGIN_REFUSAL
    },
  }
}

const HOST_REFUSAL = new Refused(
  'door.host',
  'The Host header names no address of this server. Open it as localhost, or add the name to BINNACLE_ALLOWED_HOSTS.',
)

const ORIGIN_REFUSAL = new Refused(
  'door.origin',
  'The request comes from a page of another site. Use the console itself, or add that origin to BINNACLE_CORS_ORIGINS.',
)

/** Every host the request names: each Host header there is, and the one in an absolute request target. */
function hostsOf(request: IncomingMessage): (Authority | undefined)[] {
  const named = (request.headersDistinct.host ?? []).map(parseAuthority)
  // Node keeps the first of two Host headers and other software the last, so two are none.
  if (named.length !== 1) return []
  const target = request.url ?? ''
  if (target.startsWith('/') || target === '*') return named
  const [, authority] = /^http:\/\/([^/?#]*)/i.exec(target) ?? []
  return [...named, parseAuthority(authority ?? '')]
}

/**
 * Where the browser says the request comes from, as far as that matters: all of it for a change; for reading only that
 * it is another site, whose picture or frame could otherwise start an export. A link to a page is followed from anywhere.
 */
function siteThatCounts(request: IncomingMessage): string | undefined {
  const told = request.headersDistinct['sec-fetch-site']
  if (changesState(request)) return told?.join()
  return told?.includes('cross-site') && !opensPage(request) ? 'cross-site' : undefined
}

/** The router reads paths decoded, so what is in code where `api` could stand is no page. */
const API_TARGET = /^(?:http:\/\/[^/?#]*)?\/(?:api|[^/?#]*%[^/?#]*)(?:[/?#]|$)/i

function opensPage({ headers, url = '' }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest = 'document' } = headers
  return mode === 'navigate' && dest === 'document' && !API_TARGET.test(url)
}

function changesState(request: IncomingMessage): boolean {
  return !READING_METHODS.has(request.method ?? '') || request.headers.upgrade !== undefined
}
