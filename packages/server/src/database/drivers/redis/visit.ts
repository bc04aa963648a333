import { Redis, ReplyError } from 'ioredis'
import { StoreRefusal } from '../store-refusal.ts'
import { CONNECT_TIMEOUT_MS, type RedisPlace, unreachable } from './connection-options.ts'

/** Sends one command and gives its reply, with texts as bytes. */
export type Send = (command: string, ...args: (string | number | Buffer)[]) => Promise<unknown>

export interface Visit {
  database: number
  /** Whether what arrives may be more than anybody can be shown, as for an export. */
  isWhole?: boolean
}

export interface Visits {
  /** Does work on a connection of its own. When the signal is aborted, the connection is gone at once. */
  visit<Result>(where: Visit, signal: AbortSignal, act: (send: Send) => Promise<Result>): Promise<Result>
  close(): void
}

const MOST_CONNECTIONS = 8
/** What one piece of work may receive: somewhat more than a result holds, in not too many pieces. */
const MOST_BYTES = 20 * 1024 * 1024
const MOST_LINES = 400_000

export function openVisits(place: RedisPlace): Visits {
  const open = new Set<Redis>()
  return {
    async visit({ database, isWhole = false }, signal, act) {
      signal.throwIfAborted()
      if (open.size >= MOST_CONNECTIONS) throw allBusy(place)
      const redis = new Redis(place.options)
      open.add(redis)
      const flood = watchFlood(redis, isWhole)
      const hangUp = () => redis.disconnect()
      signal.addEventListener('abort', hangUp)
      try {
        await connect(redis, database)
        const result = await act((command, ...args) => redis.callBuffer(command, args))
        // What was on its way when we hung up may arrive whole all the same.
        if (flood.isOver()) throw tooMuch()
        return result
      } catch (failure) {
        signal.throwIfAborted()
        throw flood.isOver() ? tooMuch() : refusalOf(failure, place)
      } finally {
        signal.removeEventListener('abort', hangUp)
        redis.disconnect()
        open.delete(redis)
      }
    },
    close() {
      for (const redis of open) redis.disconnect()
    },
  }
}

async function connect(redis: Redis, database: number): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  // What is wrong with the address or the password is told by an event, and the call itself says only 'closed'.
  redis.on('error', reject)
  const late = setTimeout(() => reject(new Error('timed out')), CONNECT_TIMEOUT_MS)
  try {
    await Promise.race([open(redis, database), failed])
  } catch (failure) {
    await Promise.race([failed, Promise.reject(failure)])
  } finally {
    clearTimeout(late)
  }
}

async function open(redis: Redis, database: number): Promise<void> {
  await redis.connect()
  if (database !== 0) await redis.select(database)
}

/** Hangs up when more arrives than anybody can be shown. */
function watchFlood(redis: Redis, isWhole: boolean) {
  let bytes = 0
  let lines = 0
  const isOver = () => !isWhole && (bytes > MOST_BYTES || lines > MOST_LINES)
  const count = (chunk: Buffer) => {
    if (isOver()) return
    bytes += chunk.length
    lines += linesIn(chunk)
    if (isOver()) redis.disconnect()
  }
  redis.on('connect', () => redis.stream.on('data', count))
  return { isOver }
}

function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

function refusalOf(failure: unknown, place: RedisPlace): unknown {
  if (failure instanceof StoreRefusal) return failure
  if (!(failure instanceof Error)) return failure
  const isOfServer = failure instanceof ReplyError
  if (isOfServer && !/^(WRONGPASS|NOAUTH|NOPERM)|DB index|invalid password/.test(failure.message)) {
    return new StoreRefusal('store.refused', `${failure.message.replace(/^ERR /, '').replace(/\.?$/, '.')}`)
  }
  const isOfSocket =
    isOfServer || 'code' in failure || /clos|end|timed|certificate|RESP/i.test(failure.message)
  return isOfSocket ? unreachable(failure, place) : failure
}

function tooMuch(): StoreRefusal {
  const sentence =
    'The reply is larger than can be shown. Ask for a part: LRANGE key 0 999, HSCAN key 0, GETRANGE key 0 9999.'
  return new StoreRefusal('store.refused', sentence)
}

function allBusy({ address }: RedisPlace): StoreRefusal {
  const sentence = `All ${MOST_CONNECTIONS} connections to ${address} are busy. Cancel something, or wait.`
  return new StoreRefusal('store.unreachable', sentence)
}
