import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { Authority } from '#config/authority.ts'
import { classifyAddress } from './address-kind.ts'
import { OutboundRefusal } from './outbound-failure.ts'

/** A checked target: its URL and the resolved addresses. */
export interface Destination {
  url: URL
  /** The host without the brackets of IPv6, as sockets expect it. */
  host: string
  addresses: LookupAddress[]
}

export type Resolve = (name: string) => Promise<LookupAddress[]>

/** Resolves the name once. Every resolved address must be allowed, because any of them may be used. */
export async function findDestination(
  address: string,
  allowedHosts: readonly Authority[],
  resolve: Resolve,
): Promise<Destination> {
  const url = parseHttpUrl(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isAllowed = allowedHosts.some((allowed) => isSameHost(allowed, url))
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (addresses.length === 0) throw new OutboundRefusal(`The name '${host}' does not resolve to an address.`)
  for (const { address: found } of addresses) checkAddress(url.hostname, found, isAllowed)
  return { url, host, addresses }
}

function parseHttpUrl(address: string): URL {
  const url = URL.parse(address)
  if (url === null) throw new OutboundRefusal('The address of the request is not a valid URL.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefusal(`Only http and https addresses are called, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefusal(
      'The address contains a user name or password. Send credentials in a header instead.',
    )
  }
  return url
}

/** An entry without a port allows every port of its host. */
function isSameHost({ name, port }: Authority, url: URL): boolean {
  const ownPort = Number(url.port || DEFAULT_PORTS[url.protocol])
  return name === url.hostname && (port === undefined || port === ownPort)
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

function checkAddress(hostname: string, address: string, isAllowed: boolean): void {
  const kind = classifyAddress(address)
  if (kind === 'forbidden') {
    const named = hostname === address ? address : `${hostname} resolves to ${address}, which`
    throw new OutboundRefusal(
      `${named} is a link-local, metadata or special address. Such addresses are never called.`,
    )
  }
  if (kind === 'other' && !isAllowed) {
    throw new OutboundRefusal(
      `${hostname} is not an allowed host. Add it to BINNACLE_OUTBOUND_HOSTS to call it.`,
    )
  }
}
