import { callsOf } from '@binnacle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountedOn } from '#http/mount.ts'
import { newAdminApp, type TestAdmin } from '#testkit/admin-app.ts'
import { ADMIN_SAMPLES } from '#testkit/admin-samples.ts'
import { requestOf } from '#testkit/contract-request.ts'

const CALLS = callsOf('admin').filter(({ id }) => id !== 'listener.health')
const CHANGES = CALLS.filter(({ endpoint }) => endpoint.method !== 'GET')
const READS = CALLS.filter(({ endpoint }) => endpoint.method === 'GET')

let admin: TestAdmin
let nth = 0
beforeAll(async () => {
  admin = await newAdminApp(afterAll)
})

test('the walk covers every call of the admin API', () => {
  expect(CHANGES.length).toBeGreaterThanOrEqual(16)
  expect(READS.length).toBeGreaterThanOrEqual(10)
})

test.each(CHANGES)('$id leaves exactly one line when it succeeds', async ({ id, endpoint }) => {
  const sample = await sampleOf(id)
  if (sample === 'unbuilt') return
  const linesBefore = await linesOf(id)
  const reply = await admin.app.inject(requestOf(endpoint, sample))
  expect(reply.statusCode, reply.body).toBe(endpoint.status)
  const lines = await linesOf(id)
  expect(lines.length - linesBefore.length).toBe(1)
  expect(lines[0]).toMatchObject({
    action: id,
    actor: 'local',
    role: 'admin',
    address: '127.0.0.1',
    request_id: expect.stringMatching(/^[\da-f-]{36}$/),
    entity: expect.stringMatching(/^[a-z-]+$/),
    target: expect.stringMatching(/./),
  })
})

test.each(READS)('$id changes nothing, so it leaves none', async ({ id, endpoint }) => {
  const sample = await sampleOf(id)
  if (sample === 'unbuilt') return
  const linesBefore = await countLines()
  const reply = await admin.app.inject(requestOf(endpoint, sample))
  expect(reply.statusCode, reply.body).toBe(endpoint.status)
  expect(await countLines()).toBe(linesBefore)
})

test('what was left is a chain', async () => {
  expect((await admin.store.audit.verify()).fault).toBeUndefined()
})

/** A call that is not built yet says so by its 501; any other must have a sample. */
async function sampleOf(id: string) {
  const endpoint = CALLS.find((call) => call.id === id)?.endpoint
  if (endpoint !== undefined && mountedOn(admin.app).get(endpoint) === 'unbuilt') {
    expect((await admin.app.inject(requestOf(endpoint, { params: { id: '1' } }))).statusCode).toBe(501)
    return 'unbuilt'
  }
  const makeSample = ADMIN_SAMPLES[id]
  if (makeSample === undefined) return expect.fail(`testkit/admin-samples.ts has no request for ${id}`)
  nth += 1
  return makeSample(admin.store, nth)
}

function linesOf(action: string) {
  return admin.store.audit.page({ action }, Number.MAX_SAFE_INTEGER, 100)
}

async function countLines(): Promise<number> {
  const [last] = await admin.store.audit.page({}, Number.MAX_SAFE_INTEGER, 1)
  return last?.seq ?? 0
}
