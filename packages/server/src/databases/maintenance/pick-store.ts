import { ANSWER_TIMEOUT_MS, type Source, withClient, withRedis } from '@binnacle/stores'
import type { ManagedStore } from './managed-stores.ts'

/**
 * Picks the store for a kind: the configured one, else the first reachable one, writable ones first. When none is
 * reachable, returns the first, whose failure then names the reason.
 */
export async function pickStore(stores: readonly ManagedStore[]): Promise<ManagedStore | undefined> {
  const [first] = stores
  if (first?.isConfigured || stores.length < 2) return first
  const ranked = stores.toSorted((one, other) => Number(other.writable) - Number(one.writable))
  const answers = await Promise.all(ranked.map(({ source }) => isAnswering(source)))
  return ranked[Math.max(0, answers.indexOf(true))]
}

const LIMIT = { answerMs: ANSWER_TIMEOUT_MS }

function isAnswering(source: Source): Promise<boolean> {
  return ping(source).then(
    () => true,
    () => false,
  )
}

async function ping(source: Source): Promise<unknown> {
  if (source.type === 'postgresql') return withClient(source.url, (client) => client.query('SELECT 1'), LIMIT)
  if (source.type === 'redis') return withRedis(source.url, (redis) => redis.ping(), LIMIT)
  return undefined
}
