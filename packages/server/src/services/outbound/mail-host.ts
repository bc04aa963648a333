import { lookup } from 'node:dns/promises'
import type { Authority } from '#http/authority.ts'
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

export function createMailHostFinder(
  allowedHosts: readonly Authority[],
  resolve: Resolve = (name) => lookup(name, { all: true }),
): FindMailHost {
  return async (host, port) => {
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
