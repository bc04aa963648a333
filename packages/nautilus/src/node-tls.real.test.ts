import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createCertificate } from '#testkit/certificate.ts'
import { reach } from '#testkit/reach.ts'
import { NodeClient } from './node-client.ts'

// The step of `npm test` that installs NautilusTrader sets it; without it these tests are not run (vitest.config.ts).
const python = process.env.BINNACLE_NAUTILUS_PYTHON ?? 'python3'
const BRIDGE = join(import.meta.dirname, '..', 'python')

describe('a real node by TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'naut-tls-'))
  const { certificate, key } = createCertificate()
  let stop = async () => {}
  let port = 0

  beforeAll(async () => {
    await writeFile(join(folder, 'certificate.pem'), certificate)
    await writeFile(join(folder, 'key.pem'), key)
    await writeFile(join(folder, 'token'), 'a token of this test\n')
    const node = spawnNode(folder, [
      ...['--listen', '127.0.0.1:0', '--certificate', join(folder, 'certificate.pem')],
      ...['--key', join(folder, 'key.pem'), '--token-file', join(folder, 'token')],
    ])
    stop = node.stop
    port = Number(/127\.0\.0\.1:(\d+)/.exec(await node.listening)?.[1])
  })

  afterAll(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })

  function connect(token: string, ca?: string): NodeClient {
    return new NodeClient({
      address: { kind: 'tls', host: 'localhost', port, ...(ca !== undefined && { ca }) },
      token,
    })
  }

  test('[NAUT-106] a node by TLS is followed with its token and its certificate', async () => {
    const client = connect('a token of this test', certificate)
    await reach(client, () => client.status.state === 'current')
    await client.close()
  })

  test('[NAUT-106] a wrong token or an unknown certificate is refused with the reason', async () => {
    const stranger = connect('another token', certificate)
    await reach(stranger, () => /token/i.test(stranger.status.reason ?? ''))
    await stranger.close()
    const unsure = connect('a token of this test')
    await reach(unsure, () => /self.signed/.test(unsure.status.reason ?? ''))
    await unsure.close()
  })
})

function spawnNode(folder: string, more: readonly string[]) {
  const args = ['-m', 'nautilus_bridge.launcher', '--data', folder, '--feed', 'scripted', ...more]
  const env = { ...process.env, PYTHONPATH: BRIDGE }
  const child = spawn(python, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const exited = once(child, 'exit')
  return {
    /** The line that says where it listens. */
    listening: once(child.stdout, 'data').then(([line]) => String(line)),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
