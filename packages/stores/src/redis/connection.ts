import type { Redis } from 'ioredis'
import { StoreRefusal } from '#store-refusal.ts'
import { CONNECT_TIMEOUT_MS, type RedisAddress, unreachable } from './connection-options.ts'
import { isReplyError } from './reply-error.ts'

/** Sends one command and returns its reply, with strings as bytes. */
export type Send = (command: string, ...args: (string | number | Buffer)[]) => Promise<unknown>

export interface ConnectionUse {
  database: number
  /** Whether the reply may exceed what a screen shows, as for an export. */
  isUnlimited?: boolean
}

export interface RedisConnections {
  /** Runs work on its own connection. Aborting the signal closes it at once. */
  use<Result>(
    where: ConnectionUse,
    signal: AbortSignal,
    act: (send: Send) => Promise<Result>,
  ): Promise<Result>
  close(): void
}

const MAX_CONNECTIONS = 8
/** Reply limits of one unit of work, slightly above the cap of a result. */
const MAX_REPLY_BYTES = 20 * 1024 * 1024
const MAX_REPLY_LINES = 400_000

export function createRedisConnections(address: RedisAddress): RedisConnections {
  const open = new Set<Redis>()
  return {
    async use({ database, isUnlimited = false }, signal, act) {
      const { Redis: Client } = await import('ioredis')
      signal.throwIfAborted()
      if (open.size >= MAX_CONNECTIONS) throw allBusy(address)
      const redis = new Client(address.options)
      open.add(redis)
      const size = limitReplySize(redis, isUnlimited)
      const hangUp = () => redis.disconnect()
      signal.addEventListener('abort', hangUp)
      try {
        await connect(redis, database)
        const result = await act((command, ...args) => redis.callBuffer(command, args))
        // A reply in flight may still arrive complete after the disconnect.
        if (size.isOver()) throw replyTooLarge()
        return result
      } catch (failure) {
        signal.throwIfAborted()
        throw size.isOver() ? replyTooLarge() : toRefusalIfRedis(failure, address)
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
  // The cause arrives as an event; connect() itself only rejects with 'closed'.
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

/** Disconnects when a reply exceeds the limits. */
function limitReplySize(redis: Redis, isWhole: boolean) {
  let bytes = 0
  let lines = 0
  const isOver = () => !isWhole && (bytes > MAX_REPLY_BYTES || lines > MAX_REPLY_LINES)
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

function toRefusalIfRedis(failure: unknown, address: RedisAddress): unknown {
  if (failure instanceof StoreRefusal) return failure
  if (!(failure instanceof Error)) return failure
  const isOfServer = isReplyError(failure)
  if (isOfServer && !/^(WRONGPASS|NOAUTH|NOPERM)|DB index|invalid password/.test(failure.message)) {
    return new StoreRefusal('store.refused', `${failure.message.replace(/^ERR /, '').replace(/\.?$/, '.')}`)
  }
  const isOfSocket =
    isOfServer || 'code' in failure || /clos|end|timed|certificate|RESP/i.test(failure.message)
  return isOfSocket ? unreachable(failure, address) : failure
}

function replyTooLarge(): StoreRefusal {
  const sentence =
    'The reply is too large. Request a part of it: LRANGE key 0 999, HSCAN key 0, GETRANGE key 0 9999.'
  return new StoreRefusal('store.refused', sentence)
}

function allBusy({ address }: RedisAddress): StoreRefusal {
  const sentence = `All ${MAX_CONNECTIONS} connections to ${address} are in use. Cancel a command or wait.`
  return new StoreRefusal('store.unreachable', sentence)
}
