import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('[START-300] a signal whose closing fails ends the process with the reason', () => {
  const module = JSON.stringify(new URL('./close-on-signal.ts', import.meta.url).href)
  const script = `
    const { closeOnSignal } = await import(${module})
    setInterval(() => {}, 1000)
    closeOnSignal({ close: () => Promise.reject(new Error('the store is gone')) })
    process.kill(process.pid, 'SIGTERM')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^The server did not close properly: Error: the store is gone\n/)
})
