import { maintenance } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { mount } from './mount.ts'
import { onceByKey } from './once-by-key.ts'
import { Refused } from './problems.ts'

test('[CLIENT-19] a repeat gets the outcome of the first request, also while that is running', async () => {
  const { promise, resolve } = Promise.withResolvers<{ message: string }>()
  const { send, runs } = serve(() => promise)
  const first = send('a')
  const second = send('a')
  resolve({ message: 'Backed up' })
  const late = await send('a')
  expect([await first, await second, late].map((reply) => reply.json().message)).toEqual(
    Array(3).fill('Backed up'),
  )
  expect(runs()).toBe(1)
})

test('[CLIENT-19] another key or no key is another request', async () => {
  const { send, runs } = serve(() => ({ message: 'Backed up' }))
  for (const key of ['a', 'b', undefined, undefined]) await send(key)
  expect(runs()).toBe(4)
})

test('[CLIENT-19] a key with other terms is refused by the name of its header', async () => {
  const { send, runs } = serve(() => ({ message: 'Backed up' }))
  await send('a')
  const reply = await send('a', 'redis')
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors).toMatchObject([{ field: 'header.idempotency-key' }])
  expect(runs()).toBe(1)
})

test('[CLIENT-19] after a refusal or a fault the key is free', async () => {
  const outcomes = [
    () => new Refused('store.read-only', 'It is read-only.'),
    () => Promise.reject(new Error('disk')),
    () => ({ message: 'Backed up' }),
  ]
  const { send, runs } = serve(() => outcomes.shift()?.() ?? { message: 'again' })
  const statuses = []
  for (let time = 0; time < 4; time += 1) statuses.push((await send('a')).statusCode)
  expect(statuses).toEqual([403, 500, 200, 200])
  expect(runs()).toBe(3)
})

test('[CLIENT-300] a key counts on every listener of a service, and not for another service', async () => {
  const work = () => ({ message: 'Backed up' })
  const service = {}
  const [first, second, other] = [serve(work, service), serve(work, service), serve(work)]
  for (const { send } of [first, second, other]) await send('a')
  expect([first.runs(), second.runs(), other.runs()]).toEqual([1, 0, 1])
})

type Outcome = { message: string } | Refused | Promise<{ message: string }>

function serve(work: () => Outcome, service: object = {}) {
  const app = createHttpApp({ logger: silentLog })
  let runs = 0
  mount(
    app,
    maintenance.backup,
    onceByKey(service, maintenance.backup, () => {
      runs += 1
      return work()
    }),
  )
  const send = (key: string | undefined, store = 'all') =>
    app.inject({
      method: 'POST',
      url: '/api/database/backup',
      payload: { db_type: store },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  return { send, runs: () => runs }
}
