import { DatabaseSync } from 'node:sqlite'
import { type Call, callsOf, Problem } from '@binnacle/contract'
import { afterAllTests, countOf } from '@binnacle/stores/testkit'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { createJobs } from '#services/jobs/job-runner.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newDatabaseAppOptions } from '#testkit/database-service.ts'
import { silentLog } from '#testkit/silent-log.ts'
import type { Sample } from '#testkit/walk/admin-samples.ts'
import { requestOf } from '#testkit/walk/contract-request.ts'
import { DATABASE_SAMPLES } from '#testkit/walk/database-samples.ts'
import { type Hostile, hostileRequests } from '#testkit/walk/hostile-requests.ts'
import { addDatabaseApp } from './app.ts'
import type { DatabaseService } from './database-service.ts'
import type { MaintenanceServices } from './maintenance-services.ts'

const CALLS = callsOf('database').filter(({ id }) => !id.startsWith('listener.'))

/** Every refusal here is about a field, and names it. */
const ABOUT_A_FIELD = [
  'request.invalid',
  'thing.unknown',
  'thing.exists',
  'statement.confirm',
  'statement.ended',
  'store.refused',
  'store.read-only',
]

/** What they accept starts a process each time. */
const START_PROCESSES = ['connections.tryOut', 'backups.restore']

const atEnd = afterAllTests()
let app: FastifyInstance
let store: AdminStore
let service: DatabaseService
let maintenanceServices: MaintenanceServices
/** SQLite gives another number as soon as anybody has committed a change to any table. */
let version: () => unknown

beforeAll(async () => {
  const opened = await newAdminStore(atEnd)
  store = opened.store
  const parts = await newDatabaseAppOptions(store, { atEnd })
  service = parts.database
  maintenanceServices = parts.maintenanceServices
  app = createHttpApp({ logger: silentLog })
  addDatabaseApp(app, { ...parts, jobs: createJobs({ store: store.jobs }) })
  const watcher = new DatabaseSync(opened.file, { readOnly: true })
  atEnd(() => watcher.close())
  version = () => watcher.prepare('PRAGMA data_version').get()?.data_version
})

describe.each(CALLS)('$id', (call) => {
  test('[CALL-4] meets hostile requests without a fault; a refusal names the field and changes nothing', async () => {
    let good = await sampleOf(call)
    for (const hostile of hostileRequestsTo(call)) {
      const request = requestOf(call.endpoint, hostile.meddle(good))
      const isAccepted = await expectNoHarm(request, hostile)
      if (isAccepted) good = await sampleOf(call)
    }
    expect((await store.audit.verify()).fault).toBeUndefined()
  })
})

/** Fields have 38 requests each, so every fifth is another one in the next field. */
function hostileRequestsTo({ id, endpoint }: Call): Hostile[] {
  const all = hostileRequests(endpoint)
  if (!START_PROCESSES.includes(id)) return all
  return all.filter(({ isWrong }, nth) => isWrong || nth % 5 < countOf('oddRequestsInFive'))
}

/** Returns whether the request was accepted after all. */
async function expectNoHarm(request: InjectOptions, { what, field, isWrong }: Hostile): Promise<boolean> {
  const versionBefore = version()
  const reply = await app.inject(request)
  const context = `${what}: ${reply.statusCode} ${reply.body}`
  expect(reply.statusCode, context).toBeLessThan(500)
  if (reply.statusCode < 400) {
    expect(isWrong, context).toBe(false)
    return true
  }
  expect(version(), context).toBe(versionBefore)
  expect(reply.headers['content-type'], context).toMatch('application/problem+json')
  const { code, errors = [] } = Problem.parse(reply.json())
  expect(ABOUT_A_FIELD, context).toContain(code)
  const isNamed = errors.some((fault) => fault.field === field || fault.field.startsWith(`${field}.`))
  expect(isNamed, context).toBe(true)
  return false
}

let nth = 0

function sampleOf({ id }: Call): Sample | Promise<Sample> {
  nth += 1
  return (
    DATABASE_SAMPLES[id]?.(service, nth, maintenanceServices) ??
    expect.fail(`testkit/walk/database-samples.ts has no request for ${id}`)
  )
}
