import pg from 'pg'
import { JobFailure, Unreached } from '#jobs/job.ts'
import { readAddress } from './postgres-address.ts'

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

function configOf(address: string): pg.ClientConfig {
  const { host, port, user, password, database, tls } = readAddress(address)
  return {
    ...{ host, port, user, database },
    // A function, since an empty text would make the library look for a password elsewhere.
    password: () => password,
    ssl: tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify' },
    application_name: 'binnacle-backup',
    connectionTimeoutMillis: 10_000,
  }
}
