import { BlockList, isIP } from 'node:net'
import { connectionOptions } from '#postgres/connection-options.ts'
import { parseRedisAddress } from '#redis/connection-options.ts'
import type { ConnectionConfig, FolderAccess } from './driver.ts'
import { badConnectionString, type StoreRefusal } from './store-refusal.ts'

/**
 * STORE-36: refuses a server beyond loopback and the allowed hosts without dialling, so that connections cannot be used
 * to explore the network. Names are compared, not resolved.
 */
export function refuseForeignHost(config: ConnectionConfig, { databaseHosts = [] }: FolderAccess): void {
  const destination = destinationOf(config)
  if (destination === undefined || isLoopback(destination.name)) return
  const isAllowed = databaseHosts.some(
    ({ name, port }) =>
      withoutBrackets(name) === destination.name && (port === undefined || port === destination.port),
  )
  if (!isAllowed) throw notAllowed(destination)
}

interface Destination {
  name: string
  port: number
}

/** Undefined for files. */
function destinationOf(config: ConnectionConfig): Destination | undefined {
  if (config.kind === 'postgresql') {
    const { host, port } = connectionOptions(config).config
    return { name: String(host).toLowerCase(), port: Number(port) }
  }
  if (config.kind !== 'redis') return undefined
  const { host, port } = parseRedisAddress(config).options
  return { name: String(host).toLowerCase(), port: Number(port) }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** A path is the folder of a Unix socket on this machine. */
function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.startsWith('/')) return true
  const version = isIP(name)
  return version !== 0 && LOOPBACK.check(name, version === 4 ? 'ipv4' : 'ipv6')
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[|\]$/g, '')
}

function notAllowed({ name, port }: Destination): StoreRefusal {
  const shown = name.includes(':') ? `[${name}]` : name
  return badConnectionString(
    `${shown}:${port} is not an allowed database host. Add ${shown} to BINNACLE_DATABASE_HOSTS to connect to it.`,
  )
}
