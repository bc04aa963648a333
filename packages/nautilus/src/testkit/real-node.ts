import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeClient } from '#node-client.ts'
import { BRIDGE_FOLDER } from '#python.ts'
import { reach } from './reach.ts'

/** The instrument whose quotes tests push. */
export const REAL_INSTRUMENT = 'BTCUSDT-PERP.SIM'

// The step of `npm test` that installs NautilusTrader sets it; without it these tests are not run (vitest.config.ts).
const python = process.env.BINNACLE_NAUTILUS_PYTHON ?? 'python3'

/** A NautilusTrader node with a scripted feed, as a process. Its folder outlives it, so that the next start takes it up. */
export class RealNode {
  readonly folder = mkdtempSync(join(tmpdir(), 'naut-real-'))
  readonly address = { kind: 'socket', path: join(this.folder, 'node.sock') } as const
  /** What the bridge was asked and what came of it. */
  readonly journal = join(this.folder, 'commands.jsonl')
  #child: ChildProcess | null = null

  /** Resolves when the node listens. */
  async start(...options: readonly string[]): Promise<void> {
    const args = ['-B', '-m', 'nautilus_bridge.launcher', '--data', this.folder, '--feed', 'scripted']
    const env = { ...process.env, PYTHONPATH: BRIDGE_FOLDER }
    const child = spawn(python, [...args, '--socket', this.address.path, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    this.#child = child
    await once(child.stdout, 'data')
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (child === null) return
    this.#child = null
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    await rm(this.folder, { recursive: true })
  }
}

/** Moves the market of a node with a scripted feed; the ask is 1 above the bid. */
export async function pushQuote(client: NodeClient, bid: number): Promise<void> {
  const quotes = [{ instrument_id: REAL_INSTRUMENT, bid: String(bid), ask: String(bid + 1) }]
  await query(client, 'feed.push', { quotes })
}

/** Asks a node. A machine that is too busy to answer in time is asked again; a query changes nothing by its repetition. */
export async function query(
  client: NodeClient,
  name: string,
  args: Record<string, unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    await reach(client, () => client.status.state === 'current' && client.status.isWriter)
    const outcome = await client.request({ name, args, actor: 'test' })
    if (outcome.status === 'completed') return outcome.data
    if (outcome.status === 'failed' && outcome.code !== 'EXPIRED') throw new Error(JSON.stringify(outcome))
  }
}
