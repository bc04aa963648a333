import { type Call, callsOf, Problem } from '@binnacle/contract'
import { afterAllTests } from '@binnacle/stores/testkit'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { mountedOn } from '#http/mount.ts'
import { createJobs } from '#services/jobs/job-runner.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newAlerts } from '#testkit/alerts.ts'
import { newBacktests } from '#testkit/backtests.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { ADAPTER_SAMPLES } from '#testkit/walk/adapter-samples.ts'
import type { Sample } from '#testkit/walk/admin-samples.ts'
import { ALERT_SAMPLES } from '#testkit/walk/alert-samples.ts'
import { BACKTEST_SAMPLES } from '#testkit/walk/backtest-samples.ts'
import { requestOf } from '#testkit/walk/contract-request.ts'
import { type Hostile, hostileRequests } from '#testkit/walk/hostile-requests.ts'
import { TRADING_SAMPLES } from '#testkit/walk/trading-samples.ts'
import { openAdapters } from './adapters/adapters.ts'
import { addTradingApp } from './app.ts'

const CALLS = callsOf('trading').filter(({ id }) => !id.startsWith('listener.'))

/** A refusal of these kinds is about a field and names it; the others are about how things stand. */
const ABOUT_A_FIELD = ['request.invalid', 'order.malformed', 'strategy.refused']

/** Fields that are lists or objects by right. */
const NOT_PLAIN = ['body.config', 'body.instruments', 'body.tags', 'body.mute', 'body.faults']

const atEnd = afterAllTests()
let desk: InMemoryDesk
let app: FastifyInstance
let samples: (id: string) => Sample | Promise<Sample> | undefined
let nth = 0

beforeAll(async () => {
  const { store } = await newAdminStore(atEnd)
  const backtests = await newBacktests(store, { atEnd })
  desk = await openInMemoryDesk()
  atEnd(() => desk.close())
  app = createHttpApp({ logger: silentLog })
  const alerts = await newAlerts(store, desk, atEnd)
  const jobs = createJobs({ store: store.jobs })
  atEnd(() => jobs.close(0))
  const adapters = openAdapters({ desk, links: desk.adapters, store: store.adapters, jobs })
  addTradingApp(app, { desk, traderId: 'T', backtests, alerts, adapters })
  samples = (id) =>
    TRADING_SAMPLES[id]?.(desk, nth) ??
    BACKTEST_SAMPLES[id]?.(backtests) ??
    ALERT_SAMPLES[id]?.(alerts, nth) ??
    ADAPTER_SAMPLES[id]?.(adapters)
})

describe.each(CALLS)('$id', (call) => {
  test('[CALL-4] meets hostile requests without a fault; a refusal names the field and changes nothing', async () => {
    // Services that are not opened here have tests of their own.
    if (mountedOn(app).get(call.endpoint) === 'unbuilt') return
    let good = await sampleOf(call)
    for (const hostile of hostileRequests(call.endpoint)) {
      const isAccepted = await expectNoHarm(requestOf(call.endpoint, hostile.meddle(good)), hostile)
      if (isAccepted) good = await sampleOf(call)
    }
  })
})

/** Returns whether the request was accepted after all. */
async function expectNoHarm(request: InjectOptions, { what, field, isWrong }: Hostile): Promise<boolean> {
  const isHopeless = isWrong && !NOT_PLAIN.includes(field)
  await desk.idle()
  const seqBefore = desk.views.revision
  const reply = await app.inject(request)
  const context = `${what}: ${reply.statusCode} ${reply.body.slice(0, 300)}`
  expect(reply.statusCode, context).toBeLessThan(500)
  if (reply.statusCode < 400) {
    expect(isHopeless, context).toBe(false)
    return true
  }
  await desk.idle()
  expect(desk.views.revision, context).toBe(seqBefore)
  expect(reply.headers['content-type'], context).toMatch('application/problem+json')
  const { code, errors = [] } = Problem.parse(reply.json())
  const isNamed = errors.some((fault) => fault.field === field || fault.field.startsWith(`${field}.`))
  // What is odd but allowed may make another field senseless, which is then named.
  if (ABOUT_A_FIELD.includes(code)) expect(isHopeless ? isNamed : errors.length > 0, context).toBe(true)
  return false
}

/** A reading call that asks for nothing is good as it is. */
async function sampleOf({ id, endpoint }: Call): Promise<Sample> {
  nth += 1
  return (
    (await samples(id)) ?? { params: Object.fromEntries(namesIn(endpoint.path).map((name) => [name, '1'])) }
  )
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}
