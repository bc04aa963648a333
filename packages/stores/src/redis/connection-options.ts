import type { ConnectionStep } from '@binnacle/contract'
import type { RedisOptions } from 'ioredis'
import type { ConnectionConfig } from '#driver.ts'
import { badConnectionString, refuseControlCharacters, StoreRefusal } from '#store-refusal.ts'

/** The parsed address, with a form that is safe to show. */
export interface RedisAddress {
  options: Omit<RedisOptions, 'replyMapping'>
  /** Such as 'cache.example:6379'. */
  address: string
  /** The database that commands are for. */
  database: number
}

/** Limit for connecting, signing in and selecting the database. */
export const CONNECT_TIMEOUT_MS = 5_000
const FORM =
  'Connection String must look like redis://user:password@host:6379 or, with TLS, rediss://host:6379.'

const NO_PARAMETERS =
  'Connection String must end with the database: parameters after a ? or # are not supported. A ? or # in a password must be written as %3F or %23.'

export function parseRedisAddress({
  connectionString,
  databaseName,
}: Pick<ConnectionConfig, 'connectionString' | 'databaseName'>): RedisAddress {
  refuseControlCharacters(connectionString, databaseName)
  const url = URL.parse(connectionString.trim())
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw badConnectionString(FORM)
  // The client library would take them as options, such as a socket path instead of the host that was checked.
  if (url.search !== '' || url.hash !== '') throw badConnectionString(NO_PARAMETERS)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || 6379)
  const username = decodePart(url.username)
  const password = decodePart(url.password)
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
      // A connection serves one unit of work, so a lost one is not retried.
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    },
  }
}

/** The number in 'db3' or '3'; empty means 0. */
export function databaseNumber(name: string): number {
  const [, digits] = /^(?:db)?(\d{1,5})$/i.exec(name) ?? []
  if (digits !== undefined) return Number(digits)
  if (name === '') return 0
  throw badConnectionString('The database must be a number such as 0; empty means 0.')
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (failure) {
    if (!(failure instanceof URIError)) throw failure
    throw badConnectionString('A % in Connection String must be written as %25.')
  }
}

/** Describes a failed connection without the password. */
export function unreachable(failure: unknown, { address }: RedisAddress): StoreRefusal {
  const { code, message } = Object(failure instanceof AggregateError ? failure.errors[0] : failure)
  const isOfTls = /SSL|TLS/.test(`${code} ${message}`)
  const sentence =
    BY_CODE[isOfTls ? 'EPROTO' : String(code)] ??
    BY_MESSAGE.find(([words]) => words.test(String(message)))?.[1]
  return new StoreRefusal(
    'store.unreachable',
    (sentence ?? 'The connection to {} failed.').replace('{}', address),
    undefined,
    stepOf(String(code), String(message)),
  )
}

/** The step that failed, as far as the error shows it. */
function stepOf(code: string, message: string): ConnectionStep | undefined {
  if (/SSL|TLS|certificate|self.signed|altnames/i.test(`${code} ${message}`)) return 'TLS'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'DNS'
  if (/WRONGPASS|NOAUTH|NOPERM|AUTH|password|username/i.test(message)) return 'authentication'
  if (/DB index|number of clients|RESP type|Protocol error/i.test(message)) return 'database'
  return /^E[A-Z]+$/.test(code) || /timed? ?out|closed|ended/i.test(message) ? 'TCP' : undefined
}

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'Connection refused: no server is listening at {}.',
  ECONNRESET: '{} closed the connection.',
  ENOTFOUND: 'Host not found: {}.',
  EAI_AGAIN: 'The host name {} could not be resolved. Try again later.',
  EHOSTUNREACH: 'No network route to {}.',
  ENETUNREACH: 'No network route to {}.',
  ETIMEDOUT: '{} did not answer within 5 s.',
  EPROTO: '{} does not support TLS. To connect without it, begin the address with redis://.',
}

const BY_MESSAGE: readonly [RegExp, string][] = [
  [/WRONGPASS|invalid password|invalid username/i, 'Wrong user or password at {}.'],
  [/NOAUTH|Authentication required/i, '{} requires a password.'],
  [/without any password|AUTH.*called/i, '{} has no password set. Remove it from the address.'],
  [/NOPERM/, 'This user has no permission for that at {}.'],
  [/DB index is out of range|invalid DB index/i, 'There is no such database at {}.'],
  [/max number of clients/i, '{} has reached its connection limit. Try again later.'],
  [/timed? ?out/i, '{} did not answer within 5 s.'],
  [/certificate|self.signed|altnames/i, 'The certificate of {} is not trusted.'],
  [/RESP type|Protocol error/i, 'The server at {} is not a Redis server.'],
  [/closed|ended/i, '{} closed the connection.'],
]
