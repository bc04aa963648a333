import pg from 'pg'
import { JobFailure, Unreached } from '#jobs/job.ts'

/** A connection for one piece of work. What PostgreSQL refuses is a failure in its own words. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(configOf(url))
  // Without a listener a server that goes away would end the process.
  client.on('error', () => {})
  await client.connect().catch((fault: Error) => {
    if (!(fault instanceof pg.DatabaseError)) throw unreached(fault)
    return explain(fault)
  })
  try {
    return await work(client).catch(explain)
  } finally {
    await client.end().catch(() => {})
  }
}

function explain(fault: unknown): never {
  if (fault instanceof pg.DatabaseError) throw new JobFailure(`PostgreSQL refused: ${fault.message}.`)
  const isOfSocket =
    fault instanceof Error && (/^Connection terminated/.test(fault.message) || isReset(fault))
  throw isOfSocket ? unreached(fault) : fault
}

/** Whatever keeps it from answering: a name, an address, a certificate. None of these texts has the password. */
function unreached(fault: Error): Unreached {
  // What a socket throws has a code; what the library throws itself has none.
  const { code = '', message } = fault as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return new Unreached('PostgreSQL does not answer.')
  return new Unreached(`PostgreSQL does not answer: ${message || code}.`)
}

function isReset(fault: Error): boolean {
  return 'code' in fault && (fault.code === 'ECONNRESET' || fault.code === 'EPIPE')
}

/** Nothing of the environment of the server fills in what the address leaves out. */
function configOf(address: string): pg.ClientConfig {
  const url = new URL(address)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  const password = decodeURIComponent(url.password)
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: () => password,
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    ssl: mode === 'disable' ? false : { rejectUnauthorized: mode !== 'require' },
    application_name: 'binnacle-backup',
    connectionTimeoutMillis: 10_000,
  }
}
