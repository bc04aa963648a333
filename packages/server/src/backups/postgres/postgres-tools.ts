import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { JobFailure } from '#jobs/job.ts'
import { runChild } from '../run-child.ts'
import { readAddress } from './postgres-address.ts'

/** Where PostgreSQL's own programs are looked for. */
export interface PostgresTools {
  /** The folder of pg_dump, when it is not on the path. */
  binFolder?: string | undefined
  /** Folders as the shell's PATH lists them. */
  path: string
}

export type PostgresTool = 'pg_dump' | 'pg_restore' | 'psql'

/** The program's file; when there is none, a refusal that names what to install. */
export async function findTool({ binFolder, path }: PostgresTools, tool: PostgresTool): Promise<string> {
  const folders = binFolder === undefined ? path.split(delimiter) : [binFolder]
  for (const folder of folders.filter((one) => one !== '')) {
    const file = join(folder, tool)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  throw new JobFailure(
    `${tool} was not found ${binFolder === undefined ? 'on the path' : `in ${binFolder}`}. Install the package postgresql-client (postgresql on macOS), or set BINNACLE_POSTGRES_BIN to the folder that holds it.`,
  )
}

/** A dump must be made by a program that knows all that the server knows. */
export async function refuseOlderTool(file: string, serverMajor: number, signal: AbortSignal): Promise<void> {
  let told = ''
  await runChild(file, { args: ['--version'], signal, onLine: (line) => (told ||= line) })
  const major = Number(/\) (\d+)/.exec(told)?.[1])
  if (major >= serverMajor) return
  throw new JobFailure(
    `pg_dump is of version ${major} and the server of version ${serverMajor}. Install postgresql-client-${serverMajor}, or set BINNACLE_POSTGRES_BIN to its folder.`,
  )
}

/** How the programs reach the server: all of it in their environment, so that nothing shows in a list of processes. */
export function environmentOf(address: string, database?: string): Record<string, string> {
  const { host, port, user, password, database: own, tls } = readAddress(address)
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    ...(password && { PGPASSWORD: password }),
    PGDATABASE: database ?? own,
    // By the certificates that the machine trusts, as our own client does it.
    ...(tls === 'verify' ? { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' } : { PGSSLMODE: tls }),
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: 'binnacle-backup',
    LC_ALL: 'C',
    // Neither a password nor a service of whoever started the server.
    HOME: '/nonexistent',
    PGPASSFILE: '/nonexistent',
  }
}
