import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { startWatched } from './watched-process.ts'

/** A real PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  /** As superuser, to the database 'postgres'. */
  url: string
  /** The data folder, to check which files were touched. */
  folder: string
  end(): Promise<void>
}

const PASSWORD = 'correct horse'
// Data is thrown away, so nothing needs to reach the disk.
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=64MB']

export async function startPostgres(binFolder: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-postgres-'))
  const owner = ownerOf(folder)
  await initialise(binFolder, folder, owner)
  const port = await freePort()
  const args = ['-D', join(folder, 'cluster'), '-p', String(port), '-h', '127.0.0.1', '-k', '']
  const running = startWatched({
    program: join(binFolder, 'postgres'),
    args: [...args, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    folder,
    ...(owner && { user: owner }),
  })
  await running.untilPrinted('ready to accept connections')
  return {
    url: `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`,
    folder,
    async end() {
      await running.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Owner {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so it runs as the user nobody. */
function ownerOf(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const nobody = { uid: 65_534, gid: 65_534 }
  chownSync(folder, nobody.uid, nobody.gid)
  return nobody
}

async function initialise(binFolder: string, folder: string, owner: Owner | undefined): Promise<void> {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  const args = ['-D', join(folder, 'cluster'), '-U', 'postgres', '-A', 'scram-sha-256']
  const more = [`--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  await promisify(execFile)(join(binFolder, 'initdb'), [...args, ...more], { cwd: folder, ...owner })
}
