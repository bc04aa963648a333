import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { createMemoryReader } from '#services/memory.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addMemoryRoutes } from './memory.routes.ts'

test('[CALL-73] the memory call has the process, the heap of each thread and the child processes', async () => {
  const memory = createMemoryReader()
  onTestFinished(() => memory.close())
  const worker = new Worker('setInterval(() => {}, 1e6)', { eval: true, name: 'engine' })
  await once(worker, 'online')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await worker.terminate()
  })
  const app = createHttpApp({ logger: silentLog })
  addMemoryRoutes(app, memory)
  const read = async () => (await app.inject('/api/system/memory')).json()
  const { resident, threads, children } = await read()
  expect(resident).toBeGreaterThan(1e7)
  const { threadId: id } = worker
  expect(threads[0]).toMatchObject({ name: 'api' })
  expect(threads).toContainEqual(expect.objectContaining({ name: 'engine', id }))
  for (const { heap_used, heap_total, heap_limit } of threads) {
    expect(heap_used).toBeGreaterThan(1e6)
    expect(heap_total).toBeLessThanOrEqual(heap_limit)
  }
  if (process.platform === 'linux') {
    expect(children).toContainEqual({ name: 'node', pid: child.pid, resident: expect.any(Number) })
  }
  await worker.terminate()
  expect((await read()).threads).not.toContainEqual(expect.objectContaining({ id }))
})
