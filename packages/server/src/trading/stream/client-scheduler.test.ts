import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClientScheduler } from './client-scheduler.ts'

function aRoundOf(count: number) {
  const served: number[] = []
  const clients = new Set(Array.from({ length: count }, (_, index) => index))
  const scheduler = new ClientScheduler(clients, (client) => served.push(client))
  return { round: scheduler, served, clients: [...clients] }
}

test('[STREAM-55] a turn serves at most 20 clients', async () => {
  const { round, served, clients } = aRoundOf(50)
  round.request()
  const counts = [served.length]
  for (let turn = 0; turn < 4; turn++) {
    await setImmediate()
    counts.push(served.length)
  }
  expect(counts).toEqual([0, 20, 40, 50, 50])
  expect(served).toEqual(clients)
})

test('[STREAM-55] a request during a round serves every client once more after it', async () => {
  const { round, served, clients } = aRoundOf(50)
  round.request()
  await setImmediate()
  round.request()
  round.request()
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  expect(served).toEqual([...clients, ...clients])
})

test('[STREAM-55] a started round serves its first clients at once, and none that has left', async () => {
  const { round, served, clients } = aRoundOf(30)
  round.start()
  expect(served).toHaveLength(20)
  round.remove(25)
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  expect(served).toEqual(clients.filter((client) => client !== 25))
})
