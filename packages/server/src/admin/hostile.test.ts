import { DatabaseSync } from 'node:sqlite'
import { type Call, callsOf, Problem } from '@binnacle/contract'
import { type AtEnd, afterAllTests } from '@binnacle/stores/testkit'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { mountedOn } from '#http/mount.ts'
import { newAdminApp, type TestAdmin } from '#testkit/admin-app.ts'
import { ADMIN_SAMPLES, type Sample } from '#testkit/walk/admin-samples.ts'
import { requestOf } from '#testkit/walk/contract-request.ts'
import { type Hostile, hostileRequests } from '#testkit/walk/hostile-requests.ts'

const CALLS = callsOf('admin').filter(({ id }) => !id.startsWith('listener.'))

/** Refusals that name a field. */
const ABOUT_A_FIELD = ['request.invalid', 'setting.unknown', 'thing.unknown', 'thing.exists']

describe.each(CALLS)('$id', (call) => {
  const atEnd = afterAllTests()
  let victim: Victim
  beforeAll(async () => {
    victim = await newVictim(atEnd)
  })

  test('[CALL-4] refuses hostile requests without a fault, names the field and changes nothing', async () => {
    if (isUnbuilt(victim, call)) return
    let good = await sampleOf(victim, call)
    for (const hostile of hostileRequests(call.endpoint)) {
      const request = requestOf(call.endpoint, hostile.meddle(good))
      const isAccepted = await expectNoHarm(victim, request, hostile)
      if (isAccepted) good = await sampleOf(victim, call)
    }
    expect((await victim.store.audit.verify()).fault).toBeUndefined()
  })

  test('refuses malformed JSON without a fault and changes nothing', async () => {
    if (isUnbuilt(victim, call) || call.endpoint.method === 'GET') return
    const good = requestOf(call.endpoint, await sampleOf(victim, call))
    const versionBefore = victim.version()
    for (const payload of HARDLY_JSON) {
      const reply = await victim.app.inject({ ...good, payload, headers: JSON_TYPE })
      expect([400, 413, 422], payload.slice(0, 20)).toContain(Problem.parse(reply.json()).status)
    }
    expect(victim.version()).toBe(versionBefore)
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }

const HARDLY_JSON = [
  '{',
  '{"a":}',
  '"\\x"',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '\0',
  '['.repeat(100_000),
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"a":"${'x'.repeat(1024 * 1024)}"}`,
]

interface Victim extends TestAdmin {
  /** SQLite's data version changes with every commit. */
  version: () => unknown
}

async function newVictim(atEnd: AtEnd): Promise<Victim> {
  const admin = await newAdminApp(atEnd)
  const watcher = new DatabaseSync(admin.file, { readOnly: true })
  atEnd(() => watcher.close())
  return { ...admin, version: () => watcher.prepare('PRAGMA data_version').get()?.data_version }
}

/** Returns whether the request was accepted. */
async function expectNoHarm(victim: Victim, request: InjectOptions, hostile: Hostile): Promise<boolean> {
  const { what, field, isWrong } = hostile
  const versionBefore = victim.version()
  const reply = await victim.app.inject(request)
  const text = `${what}: ${reply.statusCode} ${reply.body}`
  expect(reply.statusCode, text).toBeLessThan(500)
  if (reply.statusCode < 400) {
    expect(isWrong, text).toBe(false)
    return true
  }
  expect(victim.version(), text).toBe(versionBefore)
  expect(reply.headers['content-type'], text).toMatch('application/problem+json')
  const { code, errors = [] } = Problem.parse(reply.json())
  expect(ABOUT_A_FIELD, text).toContain(code)
  const isNamed = errors.some((fault) => fault.field === field || fault.field.startsWith(`${field}.`))
  expect(isNamed, text).toBe(true)
  return false
}

function isUnbuilt({ app }: Victim, { endpoint }: Call): boolean {
  return mountedOn(app).get(endpoint) === 'unbuilt'
}

let nth = 0

function sampleOf({ store }: Victim, { id }: Call): Sample | Promise<Sample> {
  nth += 1
  return (
    ADMIN_SAMPLES[id]?.(store, nth) ?? expect.fail(`testkit/walk/admin-samples.ts has no request for ${id}`)
  )
}
