import { Redis } from 'ioredis'
import type { RedisServer } from '#testkit/stores/redis-server.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'

/** Number of items by the first part of the key name. */
export type Sizes = Record<string, number>

/** One list, set, hash, sorted set and stream of each size, such as 'big:set', and strings at the bound and beyond it. */
export async function fillRedis(
  { url }: Pick<RedisServer, 'url'>,
  sizes: Sizes,
  atEnd: AtEnd,
): Promise<Redis> {
  const redis = new Redis(url)
  atEnd(() => redis.disconnect())
  for (const [name, items] of Object.entries(sizes)) {
    for (const [kind, fill] of Object.entries(FILLING)) await redis.eval(fill, 1, `${name}:${kind}`, items)
  }
  await redis.setrange('text', TEXT_BYTES - 1, 'x')
  await redis.setrange('long', TEXT_BYTES, 'x')
  await redis.hset('wide:hash', 'field', Buffer.alloc(TEXT_BYTES + 1))
  return redis
}

const TEXT_BYTES = 16 * 1024 * 1024

/** In batches of 1,000, because each redis.call has a cost. */
const inBatches = (command: string, item: string) => `
  local batch = {}
  for i = 1, ARGV[1] do
    for _, word in ipairs({${item}}) do batch[#batch + 1] = word end
    if i % 1000 == 0 or i == tonumber(ARGV[1]) then
      redis.call('${command}', KEYS[1], unpack(batch))
      batch = {}
    end
  end`

const FILLING = {
  list: inBatches('RPUSH', "'m' .. i"),
  set: inBatches('SADD', "'m' .. i"),
  hash: inBatches('HSET', "'m' .. i, i"),
  zset: inBatches('ZADD', "i, 'm' .. i"),
  stream: `for i = 1, ARGV[1] do redis.call('XADD', KEYS[1], '0-' .. i, 'side', 'BUY') end`,
}
