import type { App } from '@binnacle/contract'
import type { Config, ListenerName } from '#config/config.ts'

export interface OwnAddresses {
  urlOf(app: App): string
  /** Sets the real ports once the listeners are open; a configured port may be 0. */
  listenOn(ports: Record<ListenerName, number>): void
}

/** Addresses of this server's own APIs, as seen from this machine. */
export function createOwnAddresses({ addresses, ports: configured }: Config): OwnAddresses {
  let ports = configured
  const [first = 'localhost', ...others] = addresses
  const host = others.length > 0 ? 'localhost' : first
  return {
    urlOf: (app) => `http://${host.includes(':') ? `[${host}]` : host}:${ports[app]}`,
    listenOn(opened) {
      ports = opened
    },
  }
}
