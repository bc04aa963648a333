import type { ClientConfig } from 'pg'
import type { Target } from '../driver.ts'
import { badConnectionString, StoreRefusal } from '../store-refusal.ts'

/** How to reach a server, and how to call it without its secret. */
export interface ConnectionOptions {
  config: ClientConfig
  /** Such as 'db.example:5432'. */
  address: string
  user: string
  database: string
  /** Whether what is sent, the password included, can be read on its way. */
  isOpen: boolean
}

const CONNECT_TIMEOUT_MS = 5_000

// What texts of values look like must not depend on the server's settings or the role's.
const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO,YMD',
  'IntervalStyle=iso_8601',
  'bytea_output=hex',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  // Else a scan may begin in the middle of a table, where another scan is, and pages would not fit together.
  'synchronize_seqscans=off',
  'default_transaction_read_only=on',
  'lock_timeout=5s',
]

const FORM = 'Connection String must look like postgresql://user:password@host:5432/database.'

/** Reads only what is written there: no variable of our own environment fills in what is missing. */
export function connectionOptions({ connectionString, databaseName }: Target): ConnectionOptions {
  const url = URL.parse(connectionString.trim())
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) throw badConnectionString(FORM)
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[|\]$/g, '')
  const user = decoded(url.username)
  const database = databaseName.trim() || decoded(url.pathname.slice(1)) || user
  if (host === '' || user === '') throw badConnectionString(FORM)
  const port = Number(url.port || 5432)
  const password = decoded(url.password)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  return {
    address: `${host}:${port}`,
    user,
    database,
    isOpen: mode === 'disable' && !isNear(host),
    config: {
      host,
      port,
      user,
      database,
      // A function, since an empty text would make the library look for a password elsewhere.
      password: () => password,
      ssl: tlsOf(mode),
      application_name: 'Binnacle',
      options: SESSION_SETTINGS.map((setting) => `-c ${setting}`).join(' '),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
  }
}

/** This machine: nobody listens on the way. */
function isNear(host: string): boolean {
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
}

/** As libpq reads the word; 'prefer' would fall back to plain text without a word, so it is not offered. */
function tlsOf(mode: string): ClientConfig['ssl'] {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  if (mode === 'verify-ca' || mode === 'verify-full') return { rejectUnauthorized: true }
  throw badConnectionString(
    'The sslmode in Connection String must be disable, require, verify-ca or verify-full.',
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (failure) {
    if (!(failure instanceof URIError)) throw failure
    throw badConnectionString('A % in Connection String must be written as %25.')
  }
}

/** Why a server could not be reached, without the secret. */
export function unreachable(failure: unknown, options: ConnectionOptions): StoreRefusal {
  const { code, message } = Object(failure instanceof AggregateError ? failure.errors[0] : failure)
  const sentence = sentenceByMessage(String(message)) ?? SENTENCES[String(code)]
  const told =
    sentence?.(options) ??
    `PostgreSQL at ${options.address} refused the connection (${String(code ?? 'no code')}).`
  return new StoreRefusal('store.unreachable', told)
}

type Sentence = (options: ConnectionOptions) => string

const SENTENCES: Record<string, Sentence> = {
  ECONNREFUSED: ({ address }) => `Nothing listens at ${address}: the connection was refused.`,
  ECONNRESET: ({ address }) => `${address} closed the connection.`,
  ENOTFOUND: ({ address }) => `There is no such name as ${address}.`,
  EAI_AGAIN: ({ address }) => `The name ${address} could not be looked up. Try again later.`,
  EHOSTUNREACH: ({ address }) => `There is no way to reach ${address}.`,
  ENETUNREACH: ({ address }) => `There is no way to reach ${address}.`,
  ETIMEDOUT: ({ address }) => `${address} did not answer within 5 s.`,
  '28P01': ({ address, user }) => `${address} does not accept the password of ${user}.`,
  '28000': ({ address, user, database }) => `${address} does not let ${user} into the database ${database}.`,
  '3D000': ({ address, database }) => `There is no database ${database} at ${address}.`,
  '42501': ({ user, database }) => `${user} may not connect to the database ${database}.`,
  '53300': ({ address }) => `${address} takes no more connections now. Try again later.`,
  '57P01': ({ address }) => `${address} is shutting down.`,
  '57P03': ({ address }) => `${address} is starting up or shutting down. Try again in a moment.`,
}

function sentenceByMessage(message: string): Sentence | undefined {
  if (/timeout/.test(message)) return SENTENCES.ETIMEDOUT
  if (/terminated/.test(message)) return SENTENCES.ECONNRESET
  if (/does not support SSL/.test(message)) {
    return ({ address }) => `${address} does not speak TLS; without it, use sslmode=disable.`
  }
  if (/certificate|self.signed|altnames/i.test(message)) {
    return ({ address }) => `The certificate of ${address} is not trusted.`
  }
  if (/unsupported startup parameter/.test(message)) {
    return ({ address }) =>
      `${address} is a pooler that takes no settings of a session; use the server itself.`
  }
  if (/no pg_hba.conf entry.*no encryption/.test(message)) {
    return ({ address }) => `${address} asks for TLS; with it, use sslmode=require or sslmode=verify-full.`
  }
  if (/SASL|password/i.test(message)) return SENTENCES['28P01']
  return undefined
}
