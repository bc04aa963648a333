import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS } from '@binnacle/engine'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { DESK_CASES } from '#testkit/desk-cases.ts'
import { reach } from '#testkit/reach.ts'
import { NautilusDesk } from './nautilus-desk.ts'
import { NodeClient } from './node-client.ts'

// The step of `npm test` that installs NautilusTrader sets it; without it these tests are not run (vitest.config.ts).
const python = process.env.BINNACLE_NAUTILUS_PYTHON ?? 'python3'

const instrument = 'BTCUSDT-PERP.SIM'
const BRIDGE = join(import.meta.dirname, '..', 'python')

describe('a real node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'naut-real-'))
  const path = join(folder, 'node.sock')
  let stop = async () => {}
  let client: NodeClient
  let desk: NautilusDesk

  beforeAll(async () => {
    const args = ['-m', 'nautilus_bridge.launcher', '--data', folder, '--socket', path, '--feed', 'scripted']
    const env = { ...process.env, PYTHONPATH: BRIDGE }
    const child = spawn(python, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
    const exited = once(child, 'exit')
    stop = async () => {
      child.kill('SIGTERM')
      await exited
    }
    await once(child.stdout, 'data')
    client = new NodeClient({ address: { kind: 'socket', path } })
    desk = new NautilusDesk(client)
    await reach(client, () => desk.rows.engine().isRunning)
  })

  afterAll(async () => {
    await client?.close()
    await stop()
    await rm(folder, { recursive: true })
  })

  async function quote(bid: number): Promise<void> {
    const quotes = [{ instrument_id: instrument, bid: String(bid), ask: String(bid + 1) }]
    const pushed = await client.request({ name: 'feed.push', args: { quotes }, actor: 'test' })
    if (pushed.status !== 'completed') throw new Error(JSON.stringify(pushed))
    await reach(client, () =>
      desk.rows.quotes().some((row) => row.instrument === instrument && row.bid === bid),
    )
  }

  /** Leaves nothing open and the defaults of a new node. */
  beforeEach(async () => {
    await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
    await desk.submit({ type: 'ChangeLimits', limits: DEFAULT_LIMITS })
    await quote(50_000)
    for (const { id, status } of desk.rows.orders()) {
      if (status === 'PENDING') await desk.submit({ type: 'CancelOrder', orderId: id })
    }
    for (const { id } of desk.rows.positions()) await desk.submit({ type: 'ClosePosition', positionId: id })
    await reach(client, () => desk.rows.positions().length === 0)
  })

  test.each(DESK_CASES)('[NAUT-85] over NautilusTrader $title', ({ run }) =>
    run({ desk, instrument, venue: 'SIM', quote, isEmbedded: false }),
  )
})
