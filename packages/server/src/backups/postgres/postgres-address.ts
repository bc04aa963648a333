import { JobFailure } from '#jobs/job.ts'

/** What an address says, read once for our own client and for PostgreSQL's programs alike. */
export interface PostgresAddress {
  host: string
  port: number
  user: string
  password: string
  database: string
  /** 'verify' holds the certificate and the name in it to what this machine trusts. */
  tls: 'disable' | 'require' | 'verify'
}

const TLS: Record<string, PostgresAddress['tls']> = {
  disable: 'disable',
  require: 'require',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

/** As a connection to it is read: nothing of the environment fills in what the address leaves out. */
export function readAddress(address: string): PostgresAddress {
  const url = new URL(address)
  const user = decodeURIComponent(url.username)
  const tls = TLS[url.searchParams.get('sslmode') ?? 'disable']
  if (tls === undefined) {
    throw new JobFailure("PostgreSQL's sslmode must be disable, require, verify-ca or verify-full.")
  }
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    user,
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    tls,
  }
}
