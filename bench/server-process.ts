import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The real server as a process of its own, on free ports and without the site. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Ends it and waits until it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const MAIN = join(import.meta.dirname, '..', 'packages', 'server', 'src', 'main.ts')

export async function startServerProcess(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      BINNACLE_DATA: dataFolder,
      BINNACLE_SITE: 'none',
      BINNACLE_TRADING_PORT: '0',
      BINNACLE_ADMIN_PORT: '0',
      BINNACLE_DATABASE_PORT: '0',
      BINNACLE_HISTORY_DAYS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // A measurement that fails must not leave its server behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    url: await addressFrom(child.stdout),
    child,
    async end(signal) {
      child.kill(signal)
      await ended
      process.off('exit', kill)
    },
  }
}

async function addressFrom(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /^Binnacle is at (http:\S+)$/.exec(line) ?? []
    if (address) return address
  }
  throw new Error('the server ended before it was up')
}
