import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { startWatched } from './watched-process.ts'

/** A real Redis server without persistence. */
export interface RedisServer {
  url: string
  port: number
  /** The working folder, to check that nothing is written. */
  folder: string
  end(): Promise<void>
}

export async function startRedis(program: string, ...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-redis-'))
  const port = await freePort()
  const quiet = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
  const args = [...quiet, '--dir', folder, ...settings]
  const running = startWatched({ program, args, folder })
  await running.untilPrinted('Ready to accept connections')
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    async end() {
      await running.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
