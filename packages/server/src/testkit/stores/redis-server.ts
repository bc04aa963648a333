import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { startWatched } from './watched-process.ts'

/** A real Redis of its own that keeps nothing. */
export interface RedisServer {
  url: string
  port: number
  /** Where it would write, to see that it did not. */
  folder: string
  end(): Promise<void>
}

export async function startRedis(program: string, ...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-redis-'))
  const port = await freePort()
  const quiet = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
  const args = [...quiet, '--dir', folder, ...settings]
  const running = startWatched({ program, args, folder })
  await running.untilSays('Ready to accept connections')
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
