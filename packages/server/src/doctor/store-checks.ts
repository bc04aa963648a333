import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { createAuditVerifier } from '#storage/admin/audit-verifier.ts'
import { checkOwnStores, nameOfStore, ownStoresIn } from '#storage/own-store-check.ts'
import { findLostKey } from '#storage/sealed-values.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const CONNECT_WITHIN_MS = 5_000
/** A single store is restored for the first engine only. */
const RESTORE_ALL =
  "Stop the server and restore a backup of everything: 'npm run backup -- restore FILE --to FOLDER'."
const ACKNOWLEDGE =
  "Stop the server and restore a newer backup with 'npm run restore', or accept the loss with 'npm run acknowledge-loss'."
const RESTORE = "Stop the server and restore the store with 'npm run restore'."

/** Reads Binnacle's own stores in full, also while a server uses them, and reaches for the configured ones. */
export async function checkStores(config: Config): Promise<Finding[]> {
  const { dataFolder, postgresUrl, redisUrl } = config
  const own = existsSync(join(dataFolder, 'admin.sqlite')) ? await checkOwn(dataFolder) : []
  return [
    ...own,
    ...(await checkConfigured('PostgreSQL', 'BINNACLE_POSTGRES_URL', postgresUrl, 5432)),
    ...(await checkConfigured('Redis', 'BINNACLE_REDIS_URL', redisUrl, 6379)),
  ]
}

async function checkOwn(dataFolder: string): Promise<Finding[]> {
  const at = (name: string) => join(dataFolder, name)
  const checks = await checkOwnStores(await ownStoresIn(dataFolder))
  const stores = checks.map((check) => {
    const { store, file, fault } = check
    const subject = `Store ${nameOfStore(check)}`
    if (fault === undefined) return ok(subject, 'read in full without a fault')
    // Both are created again by a start.
    const isDerived = store === 'orders' || store === 'samples'
    return isDerived && !existsSync(file)
      ? ok(subject, 'does not exist yet; the next start creates it')
      : failure(subject, fault, check.engine === undefined ? RESTORE : RESTORE_ALL)
  })
  const key = checkKey(at('admin.sqlite'))
  if (key !== undefined) stores.push(key)
  const { head, fault, loss } = await createAuditVerifier(at('admin.sqlite'))()
  if (fault === undefined && loss !== undefined)
    return [...stores, failure('Audit log', loss.detail, ACKNOWLEDGE)]
  const audit =
    fault === undefined
      ? ok('Audit log', `${head?.seq ?? 0} records, the chain is intact`)
      : failure('Audit log', fault.detail, 'Compare it with an export or a backup; restore the admin store.')
  return [...stores, audit]
}

/** A store that cannot be read is reported as such. */
function checkKey(storeFile: string): Finding | undefined {
  try {
    const lost = findLostKey(storeFile)
    return lost && failure('Secret key', lost.text, lost.remedy)
  } catch {
    return undefined
  }
}

async function checkConfigured(
  name: string,
  variable: string,
  url: string | undefined,
  standardPort: number,
): Promise<Finding[]> {
  if (url === undefined) return []
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '') || 'localhost'
  const number = Number(port) || standardPort
  const fault = await tryConnect(host, number)
  if (fault === undefined) return [ok(name, `${host}:${number} accepts connections`)]
  const remedy = `Start it, or correct ${variable}. Everything but its own screens works without it.`
  return [warning(name, `${host}:${number} cannot be reached (${fault})`, remedy)]
}

function tryConnect(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connect({ host, port, timeout: CONNECT_WITHIN_MS })
  socket.once('connect', () => resolve(undefined))
  socket.once('timeout', () => resolve('no answer'))
  socket.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message))
  return promise.finally(() => socket.destroy())
}
