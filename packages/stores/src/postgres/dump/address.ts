import { JobFailure } from '#job-control.ts'

/** A parsed address, used by our client and by PostgreSQL's programs. */
export interface PostgresAddress {
  host: string
  port: number
  user: string
  password: string
  database: string
  /** 'verify' checks the certificate and its host name against the system's trusted ones. */
  tls: 'disable' | 'require' | 'verify'
}

const TLS: Record<string, PostgresAddress['tls']> = {
  disable: 'disable',
  require: 'require',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

/** Uses only the address, never environment variables. */
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
