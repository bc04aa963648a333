import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { runChild } from '#backup/run-child.ts'
import { JobFailure } from '#job-control.ts'
import { readAddress } from './address.ts'

/** Where to look for PostgreSQL's programs. */
export interface PostgresTools {
  /** The folder of pg_dump, when it is not on the path. */
  binFolder?: string | undefined
  /** Folders as the shell's PATH lists them. */
  path: string
}

export type PostgresTool = 'pg_dump' | 'pg_restore' | 'psql'

/** The path of the program. Throws a JobFailure that names what to install. */
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

/** pg_dump must not be older than the server. */
export async function checkToolVersion(
  file: string,
  serverMajor: number,
  signal: AbortSignal,
): Promise<void> {
  let versionLine = ''
  await runChild(file, { args: ['--version'], signal, onLine: (line) => (versionLine ||= line) })
  const major = Number(/\) (\d+)/.exec(versionLine)?.[1])
  if (major >= serverMajor) return
  throw new JobFailure(
    `pg_dump ${major} is older than the server ${serverMajor}. Install postgresql-client-${serverMajor}, or set BINNACLE_POSTGRES_BIN to its folder.`,
  )
}

/** Connection settings as environment variables, so the process list shows no secrets. */
export function environmentOf(address: string, database?: string): Record<string, string> {
  const { host, port, user, password, database: own, tls } = readAddress(address)
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    ...(password && { PGPASSWORD: password }),
    PGDATABASE: database ?? own,
    // Uses the system's certificates, as our own client does.
    ...(tls === 'verify' ? { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' } : { PGSSLMODE: tls }),
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: 'binnacle-backup',
    LC_ALL: 'C',
    // Ignores password and service files of the user who runs the server.
    HOME: '/nonexistent',
    PGPASSFILE: '/nonexistent',
  }
}
