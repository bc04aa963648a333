import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, requirePython } from '#nautilus-fixtures.ts'
import { startOurServer } from '#our-server.ts'

const BRIDGE = resolve(import.meta.dirname, '../packages/nautilus/python')

/** A NautilusTrader node whose market moves only when a journey says so. */
export interface ScriptedNode {
  socket: string
  /** Quotes an instrument of the node; the ask is 1 above the bid. Resolves when the node has it. */
  quote(instrument: string, bid: number): Promise<void>
}

/** The console over a node that it joins by its socket. */
export const test = base.extend<{ node: ScriptedNode }>({
  node: [
    async ({ browserName: _ }, use, testInfo) => {
      const python = await requirePython(testInfo)
      const folder = await mkdtemp(join(tmpdir(), 'naut-e2e-'))
      const socket = join(folder, 'node.sock')
      const options = ['--data', folder, '--socket', socket, '--feed', 'scripted']
      const child = spawn(python, ['-B', '-m', 'nautilus_bridge.launcher', ...options], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PYTHONPATH: BRIDGE },
      })
      const exited = once(child, 'exit')
      await Promise.race([once(child.stdout, 'data'), exited])
      await use({ socket, quote: (instrument, bid) => pushQuote(socket, instrument, bid) })
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
    { timeout: 600_000 },
  ],
  server: [
    async ({ node }, use) => {
      const server = await startOurServer({
        BINNACLE_ENGINE: 'nautilus',
        BINNACLE_NAUTILUS_ADDRESS: node.socket,
      })
      await use(server)
      await server.stop()
    },
    { scope: 'test', timeout: 600_000 },
  ],
})

/** A second console may read and push quotes; the first one trades. */
async function pushQuote(path: string, instrument: string, bid: number): Promise<void> {
  const socket = connect(path)
  const send = (frame: object) => socket.write(`${JSON.stringify(frame)}\n`)
  const quotes = [{ instrument_id: instrument, bid: String(bid), ask: String(bid + 1) }]
  const id = crypto.randomUUID()
  for await (const line of createInterface({ input: socket })) {
    const frame = JSON.parse(line)
    if (frame.k === 'hello') {
      send({ k: 'auth', token: null, role: 'reader', console: 'journey', resume: null })
      send({ k: 'command', id, name: 'feed.push', args: { quotes }, actor: 'journey', expires_at: null })
    }
    if (frame.id !== id || (frame.k === 'ack' && frame.status !== 'rejected')) continue
    socket.destroy()
    if (frame.status === 'completed') return
    throw new Error(`The node did not take the quote: ${line}`)
  }
  throw new Error('The node closed the connection before it took the quote')
}

export { expect } from '#nautilus-fixtures.ts'
