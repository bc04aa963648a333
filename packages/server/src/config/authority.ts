import { isIPv6 } from 'node:net'

/** A host and port from a Host header, an absolute request target or a setting. */
export interface Authority {
  /** In lower case; an IPv6 address in brackets and in its shortest form. */
  name: string
  port: number | undefined
}

/**
 * Parses exactly `name` or `name:port`; returns undefined for user names, paths, lists and empty ports.
 * A trailing dot is part of the name: 'localhost.' is not 'localhost'.
 */
export function parseAuthority(text: string): Authority | undefined {
  const match = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::(0|[1-9]\d{0,4}))?$/.exec(text.toLowerCase())
  const [, host, digits] = match ?? []
  if (host === undefined) return undefined
  const name = host.startsWith('[') ? shortestIpv6(host) : host
  const port = digits === undefined ? undefined : Number(digits)
  if (name === undefined || (port ?? 0) > 65_535) return undefined
  return { name, port }
}

function shortestIpv6(bracketed: string): string | undefined {
  if (!isIPv6(bracketed.slice(1, -1))) return undefined
  return new URL(`http://${bracketed}`).hostname
}
