import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const SERVER = join(import.meta.dirname, '..', 'packages', 'server')
const MAIN = join(SERVER, 'src', 'main.ts')
/** As every start of the product. */
const NODE_OPTIONS: string[] = JSON.parse(readFileSync(join(SERVER, 'node-options.json'), 'utf8'))

/** The real server as a process of its own, on free ports and without the site. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Ends it and waits until it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export async function startServerProcess(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
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
