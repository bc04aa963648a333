import type { ConnectionStep } from '@binnacle/contract'
import type { ClientConfig } from 'pg'
import type { ConnectionConfig } from '#driver.ts'
import { badConnectionString, refuseControlCharacters, StoreRefusal } from '#store-refusal.ts'

/** The parsed connection string, with an address that is safe to show. */
export interface ConnectionOptions {
  config: ClientConfig
  /** Such as 'db.example:5432'. */
  address: string
  user: string
  database: string
  /** Whether traffic, including the password, is unencrypted on the network. */
  isUnencrypted: boolean
}

const CONNECT_TIMEOUT_MS = 5_000

// The text form of values must not depend on settings of the server or the role.
const SESSION_SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO,YMD',
  'IntervalStyle=iso_8601',
  'bytea_output=hex',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  // With it, a scan may start in the middle of a table and pages would overlap.
  'synchronize_seqscans=off',
  'default_transaction_read_only=on',
  'lock_timeout=5s',
]

const FORM = 'Connection String must look like postgresql://user:password@host:5432/database.'

/** Uses only the connection string, never our own environment variables. */
export function connectionOptions({ connectionString, databaseName }: ConnectionConfig): ConnectionOptions {
  refuseControlCharacters(connectionString, databaseName)
  const url = URL.parse(connectionString.trim())
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) throw badConnectionString(FORM)
  const host = url.searchParams.get('host') ?? decodePart(url.hostname).replace(/^\[|\]$/g, '')
  const user = decodePart(url.username)
  const database = databaseName.trim() || decodePart(url.pathname.slice(1)) || user
  if (host === '' || user === '') throw badConnectionString(FORM)
  const port = Number(url.port || 5432)
  const password = decodePart(url.password)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  return {
    address: `${host}:${port}`,
    user,
    database,
    isUnencrypted: mode === 'disable' && !isLocal(host),
    config: {
      host,
      port,
      user,
      database,
      // A function, because with an empty string the library looks for a password elsewhere.
      password: () => password,
      ssl: tlsOf(mode),
      application_name: 'Binnacle',
      options: SESSION_SETTINGS.map((setting) => `-c ${setting}`).join(' '),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
  }
}

/** Traffic to this machine cannot be intercepted. */
function isLocal(host: string): boolean {
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
}

/** Follows libpq. 'prefer' is not offered, because it silently falls back to plain text. */
function tlsOf(mode: string): ClientConfig['ssl'] {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  if (mode === 'verify-ca' || mode === 'verify-full') return { rejectUnauthorized: true }
  throw badConnectionString(
    'The sslmode in Connection String must be disable, require, verify-ca or verify-full.',
  )
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
export function unreachable(failure: unknown, options: ConnectionOptions): StoreRefusal {
  const { code, message } = Object(failure instanceof AggregateError ? failure.errors[0] : failure)
  const sentence = sentenceByMessage(String(message)) ?? SENTENCES[String(code)]
  const sentenceText =
    sentence?.(options) ??
    `The connection to PostgreSQL at ${options.address} failed (${String(code ?? 'no code')}).`
  return new StoreRefusal('store.unreachable', sentenceText, undefined, stepOf(String(code), String(message)))
}

/** The step that failed, as far as the error shows it. */
function stepOf(code: string, message: string): ConnectionStep | undefined {
  if (/SSL|TLS|certificate|self.signed|altnames|no encryption/i.test(`${code} ${message}`)) return 'TLS'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'DNS'
  if (/^28/.test(code) || /SASL|password/i.test(message)) return 'authentication'
  // Codes of the server have five characters, those of the socket begin with E.
  if (/^[\dA-Z]{5}$/.test(code)) return 'database'
  return /^E[A-Z]+$/.test(code) || /timeout|terminated/.test(message) ? 'TCP' : undefined
}

type Sentence = (options: ConnectionOptions) => string

const SENTENCES: Record<string, Sentence> = {
  ECONNREFUSED: ({ address }) => `Connection refused: no server is listening at ${address}.`,
  ECONNRESET: ({ address }) => `${address} closed the connection.`,
  ENOTFOUND: ({ address }) => `Host not found: ${address}.`,
  EAI_AGAIN: ({ address }) => `The host name ${address} could not be resolved. Try again later.`,
  EHOSTUNREACH: ({ address }) => `No network route to ${address}.`,
  ENETUNREACH: ({ address }) => `No network route to ${address}.`,
  ETIMEDOUT: ({ address }) => `${address} did not answer within 5 s.`,
  '28P01': ({ address, user }) => `Wrong password for ${user} at ${address}.`,
  '28000': ({ address, user, database }) =>
    `${address} does not allow ${user} to connect to the database ${database}.`,
  '3D000': ({ address, database }) => `There is no database ${database} at ${address}.`,
  '42501': ({ user, database }) => `${user} has no permission to connect to the database ${database}.`,
  '53300': ({ address }) => `${address} has reached its connection limit. Try again later.`,
  '57P01': ({ address }) => `${address} is shutting down.`,
  '57P03': ({ address }) => `${address} is starting up or shutting down. Try again in a moment.`,
}

function sentenceByMessage(message: string): Sentence | undefined {
  if (/timeout/.test(message)) return SENTENCES.ETIMEDOUT
  if (/terminated/.test(message)) return SENTENCES.ECONNRESET
  if (/does not support SSL/.test(message)) {
    return ({ address }) => `${address} does not support TLS. To connect without it, use sslmode=disable.`
  }
  if (/certificate|self.signed|altnames/i.test(message)) {
    return ({ address }) => `The certificate of ${address} is not trusted.`
  }
  if (/unsupported startup parameter/.test(message)) {
    return ({ address }) =>
      `${address} is a connection pooler without support for session settings. Connect to the server directly.`
  }
  if (/no pg_hba.conf entry.*no encryption/.test(message)) {
    return ({ address }) => `${address} requires TLS. Use sslmode=require or sslmode=verify-full.`
  }
  if (/SASL|password/i.test(message)) return SENTENCES['28P01']
  return undefined
}
