import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'

const MAIN = resolve(import.meta.dirname, '../packages/server/src/main.ts')

export interface OurServer {
  origin: string
  dataFolder: string
  stop(): Promise<void>
}

/** Starts the product's server as a process on free ports and an empty data folder, and waits for its market. */
export async function startOurServer(
  settings: Record<string, string> = {},
  // A NautilusTrader node brings its own market.
  isNode = settings.BINNACLE_ENGINE === 'nautilus',
): Promise<OurServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'binnacle-e2e-'))
  const server = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      BINNACLE_DATA: dataFolder,
      BINNACLE_TRADING_PORT: '0',
      BINNACLE_ADMIN_PORT: '0',
      BINNACLE_DATABASE_PORT: '0',
      BINNACLE_HISTORY_DAYS: '1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const complaint = text(server.stderr)
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    await rm(dataFolder, { recursive: true, force: true })
  }
  const origin = await announcedAddress(server)
  if (origin !== undefined) {
    if (!isNode) await untilReady(origin)
    return { origin, dataFolder, stop }
  }
  await stop()
  throw new Error(`The server did not start: ${await complaint}`)
}

async function announcedAddress(server: ChildProcess): Promise<string | undefined> {
  if (!server.stdout) return undefined
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /^Binnacle is at (\S+)$/.exec(line)?.[1]
    if (address) return address
  }
  return undefined
}

/** A new server generates its market history while it serves, and denies market orders until its first quotes. */
async function untilReady(origin: string): Promise<void> {
  const read = async (path: string) => (await fetch(origin + path)).json()
  const isReady = async () => {
    const { history } = await read('/api/nautilus/system-info')
    const { quotes } = await read('/api/market/quotes')
    return history?.done === true && quotes.length > 0
  }
  await expect.poll(isReady, { timeout: 240_000 }).toBe(true)
}
