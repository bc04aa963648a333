import pg from 'pg'
import { JobFailure } from '#jobs/job.ts'

/** A connection for one piece of work. What PostgreSQL refuses is a failure in its own words. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(configOf(url))
  // Without a listener a server that goes away would end the process.
  client.on('error', () => {})
  await client.connect().catch(explain)
  try {
    return await work(client).catch(explain)
  } finally {
    await client.end().catch(() => {})
  }
}

function explain(fault: unknown): never {
  if (fault instanceof pg.DatabaseError) throw new JobFailure(`PostgreSQL refused: ${fault.message}.`)
  if (Object(fault).code === 'ECONNREFUSED') throw new JobFailure('PostgreSQL does not answer.')
  throw fault
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
