import { withClient } from '#backups/postgres/postgres-client.ts'
import { withRedis } from '#backups/redis/redis-server.ts'
import type { Source } from '#backups/source.ts'
import type { KeptStore } from './stores.ts'

/**
 * The one that is meant where only the kind is named: what the settings name; else the first that answers, those that
 * may be written to asked before those that may only be read. When none answers, the first of them tells why.
 */
export async function bestOf(stores: readonly KeptStore[]): Promise<KeptStore | undefined> {
  const [first] = stores
  if (first?.isConfigured || stores.length < 2) return first
  const ranked = stores.toSorted((one, other) => Number(other.writable) - Number(one.writable))
  const answers = await Promise.all(ranked.map(({ source }) => isAnswering(source)))
  return ranked[Math.max(0, answers.indexOf(true))]
}

function isAnswering(source: Source): Promise<boolean> {
  return ask(source).then(
    () => true,
    () => false,
  )
}

async function ask(source: Source): Promise<unknown> {
  if (source.type === 'postgresql') return withClient(source.url, (client) => client.query('SELECT 1'))
  if (source.type === 'redis') return withRedis(source.url, (redis) => redis.ping())
  return undefined
}
