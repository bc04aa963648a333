import type { RedisOptions } from 'ioredis'
import type { Target } from '../driver.ts'
import { badConnectionString, StoreRefusal } from '../store-refusal.ts'

/** How to reach a Redis, and how to call it without its secret. */
export interface RedisPlace {
  options: Omit<RedisOptions, 'replyMapping'>
  /** Such as 'cache.example:6379'. */
  address: string
  /** The database that commands are for. */
  database: number
}

/** Until a server must have taken us in: the socket, the password and the database. */
export const CONNECT_TIMEOUT_MS = 5_000
const FORM =
  'Connection String must look like redis://user:password@host:6379 or, with TLS, rediss://host:6379.'

export function redisPlace({ connectionString, databaseName }: Target): RedisPlace {
  const url = URL.parse(connectionString.trim())
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw badConnectionString(FORM)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || 6379)
  const username = decoded(url.username)
  const password = decoded(url.password)
  return {
    address: `${host}:${port}`,
    database: databaseNumber(databaseName.trim() || url.pathname.slice(1)),
    options: {
      host,
      port,
      ...(username && { username }),
      ...(password && { password }),
      ...(url.protocol === 'rediss:' && { tls: { servername: host } }),
      protocol: 2,
      connectionName: 'binnacle',
      connectTimeout: CONNECT_TIMEOUT_MS,
      lazyConnect: true,
      enableReadyCheck: false,
      // A connection serves one piece of work: when it is lost the work has failed.
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    },
  }
}

/** The number in 'db3' or '3'; nothing means the first database. */
export function databaseNumber(name: string): number {
  const [, digits] = /^(?:db)?(\d{1,5})$/i.exec(name) ?? []
  if (digits !== undefined) return Number(digits)
  if (name === '') return 0
  throw badConnectionString('The database must be a number, such as 0, or nothing for the first one.')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (failure) {
    if (!(failure instanceof URIError)) throw failure
    throw badConnectionString('A % in Connection String must be written as %25.')
  }
}

/** Why a Redis could not be reached, without the secret. */
export function unreachable(failure: unknown, { address }: RedisPlace): StoreRefusal {
  const { code, message } = Object(failure instanceof AggregateError ? failure.errors[0] : failure)
  const isOfTls = /SSL|TLS/.test(`${code} ${message}`)
  const sentence =
    BY_CODE[isOfTls ? 'EPROTO' : String(code)] ??
    BY_MESSAGE.find(([words]) => words.test(String(message)))?.[1]
  return new StoreRefusal(
    'store.unreachable',
    (sentence ?? 'At {} the connection was refused.').replace('{}', address),
  )
}

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens at {}: the connection was refused.',
  ECONNRESET: '{} closed the connection.',
  ENOTFOUND: 'There is no such name as {}.',
  EAI_AGAIN: 'The name {} could not be looked up. Try again later.',
  EHOSTUNREACH: 'There is no way to reach {}.',
  ENETUNREACH: 'There is no way to reach {}.',
  ETIMEDOUT: '{} did not answer within 5 s.',
  EPROTO: '{} does not speak TLS; without it, the address begins with redis://.',
}

const BY_MESSAGE: readonly [RegExp, string][] = [
  [/WRONGPASS|invalid password|invalid username/i, '{} does not accept this user and password.'],
  [/NOAUTH|Authentication required/i, '{} asks for a password.'],
  [/without any password|AUTH.*called/i, '{} has no password set; leave it out of the address.'],
  [/NOPERM/, '{} does not let this user do that.'],
  [/DB index is out of range|invalid DB index/i, 'There is no such database at {}.'],
  [/max number of clients/i, '{} takes no more connections now. Try again later.'],
  [/timed? ?out/i, '{} did not answer within 5 s.'],
  [/certificate|self.signed|altnames/i, 'The certificate of {} is not trusted.'],
  [/RESP type|Protocol error/i, 'What answers at {} is no Redis.'],
  [/closed|ended/i, '{} closed the connection.'],
]
