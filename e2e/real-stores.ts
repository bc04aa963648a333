import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** A real store in a temporary folder, from programs found on this machine. */
export interface RealStore {
  url: string
  /** Runs SQL, or one command of Redis. */
  run(statement: string): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)

/** Undefined where there is no PostgreSQL; `npm test` installs one. */
export async function startPostgres(): Promise<RealStore | undefined> {
  const initdb = findProgram('initdb')
  if (initdb === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-e2e-postgres-'))
  // PostgreSQL refuses to run as root, so the user nobody owns its folder.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  if (nobody) await chown(folder, nobody.uid, nobody.gid)
  const cluster = join(folder, 'cluster')
  const settings = [
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  await run(initdb, ['-D', cluster, ...settings], { cwd: folder, ...nobody })
  const port = await freePort()
  const args = ['-D', cluster, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'fsync=off']
  const child = spawn(siblingOf(initdb, 'postgres'), args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...nobody,
  })
  await waitForOutput(child, child.stderr, 'ready to accept connections')
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  return {
    url,
    run: async (sql) => void (await run(siblingOf(initdb, 'psql'), ['-X', '-q', '-d', url, '-c', sql])),
    stop: () => stop(child, 'SIGINT', folder),
  }
}

/** Undefined where there is no Redis; `npm test` installs one. */
export async function startRedis(): Promise<RealStore | undefined> {
  const program = findProgram('redis-server')
  if (program === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-e2e-redis-'))
  const port = await freePort()
  const args = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await waitForOutput(child, child.stdout, 'Ready to accept connections')
  return {
    url: `redis://127.0.0.1:${port}`,
    async run(command) {
      const socket = connect(port, '127.0.0.1')
      socket.end(`${command}\r\nQUIT\r\n`)
      await text(socket)
    },
    stop: () => stop(child, 'SIGTERM', folder),
  }
}

function findProgram(name: string): string | undefined {
  const versions = '/usr/lib/postgresql'
  const newest = existsSync(versions)
    ? readdirSync(versions).sort((one, other) => Number(other) - Number(one))
    : []
  const folders = [
    process.env.BINNACLE_POSTGRES_BIN ?? '',
    ...newest.map((version) => join(versions, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

function siblingOf(program: string, name: string): string {
  return join(program, '..', name)
}

async function waitForOutput(
  child: ChildProcess,
  output: NodeJS.ReadableStream | null,
  expected: string,
): Promise<void> {
  let received = ''
  for await (const chunk of output ?? []) {
    received += chunk
    if (received.includes(expected)) break
  }
  if (!received.includes(expected)) throw new Error(`${child.spawnfile} did not start: ${received}`)
}

async function stop(child: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
}

/** Below the ephemeral range, so that the system does not hand it out before it is used. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
