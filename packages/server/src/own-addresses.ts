import type { App } from '@binnacle/contract'
import type { Config, ListenerName } from '#config.ts'

export interface OwnAddresses {
  urlOf(app: App): string
  /** Ports chosen at start are known only when the listeners are open. */
  listenOn(ports: Record<ListenerName, number>): void
}

/** Where this server's own APIs can be reached from this machine. */
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
