import { expect, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import type { OutboundOutcome } from './outbound.ts'
import { createServiceProbes } from './service-probes.ts'

test('[API-37] [API-38] the last 50 probes of each service are stored, with its share of time up', async () => {
  const { store } = await newAdminStore()
  const { probes, answer } = probesOf(store)
  for (let round = 0; round < 52; round++) {
    answer(round % 2 === 0 ? 200 : 503)
    await probes.probeAll()
  }
  const [first] = await probes.probeAll()
  expect(first?.history).toHaveLength(50)
  expect(first?.history.filter(({ error }) => error !== null)).toHaveLength(26)
  expect((await store.probes.recent()).get(1)).toHaveLength(50)
})

test('[API-39] a service that fails is pending until the third failure in a row', async () => {
  const { store } = await newAdminStore()
  const { probes, answer } = probesOf(store)
  await probes.probeAll()
  const failuresOf = async () => (await probes.probeAll())[0]?.failuresInRow
  answer(500)
  expect([await failuresOf(), await failuresOf(), await failuresOf()]).toEqual([1, 2, 3])
  answer(200)
  expect(await failuresOf()).toBe(0)
})

test('[API-37] a service that was deleted while it was probed leaves no probes', async () => {
  const { store } = await newAdminStore()
  const added = await store.services.add(serverAuditContext('a test'), {
    name: 'Feed',
    description: '',
    url: 'http://localhost:9',
  })
  const id = added.ok ? added.value.id : 0
  await store.probes.record([{ service_id: id, at: '2026-01-01T00:00:00Z', response_time: 1, error: null }])
  await store.services.remove(serverAuditContext('a test'), id)
  await store.probes.record([{ service_id: id, at: '2026-01-01T00:00:01Z', response_time: 1, error: null }])
  expect((await store.probes.recent()).get(id)).toBeUndefined()
})

function probesOf(store: Awaited<ReturnType<typeof newAdminStore>>['store']) {
  let status = 200
  const send = async (): Promise<OutboundOutcome> => ({
    ok: true,
    elapsedMs: 3,
    status,
    contentType: undefined,
    sizeBytes: 0,
    isCut: false,
    body: Buffer.alloc(0),
  })
  const options = { services: store.services, history: store.probes, urlOf: () => 'http://localhost' }
  return {
    probes: createServiceProbes({ ...options, outbound: { send } }),
    answer: (next: number) => {
      status = next
    },
  }
}
