import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Authority } from '#config/authority.ts'
import { classifyAddress } from './address-kind.ts'
import { findDestination, type Resolve } from './destination.ts'
import { describeFailure } from './outbound-failure.ts'

export interface MailHost {
  /** The checked address to connect to. */
  address: string
  isLoopback: boolean
}

/** Resolves a mail server that a person entered, with the same checks as every other address. */
export type FindMailHost = (host: string, port: number) => Promise<MailHost | { refusal: string }>

/** Anything else would change how the address is read, and with it the port that is checked. */
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

export function createMailHostFinder(
  allowedHosts: readonly Authority[],
  resolve: Resolve = (name) => lookup(name, { all: true }),
): FindMailHost {
  return async (host, port) => {
    if (!HOST.test(host) && isIP(host) === 0)
      return { refusal: `'${host}' is not the name of a mail server. Enter its name or address alone.` }
    const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    try {
      const { addresses } = await findDestination(`http://${authority}`, allowedHosts, resolve)
      const [{ address } = { address: host }] = addresses
      return { address, isLoopback: classifyAddress(address) === 'loopback' }
    } catch (failure) {
      return { refusal: describeFailure(failure, host) }
    }
  }
}
