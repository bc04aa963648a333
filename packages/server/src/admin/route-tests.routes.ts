import { type App, bracedPath, routes } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Act } from '#audit/act.ts'
import { mount } from '#http/mount.ts'
import type { Outbound, OutboundOutcome } from '#outbound/outbound.ts'
import { isOk, urlOfService } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { findBuiltinCall } from './builtin-routes.ts'
import { type RouteToTry, requestOfRoute } from './route-request.ts'
import { unknownRoute } from './routes.routes.ts'
import { rowIdOf } from './row-id.ts'

interface TestNeeds {
  store: Pick<AdminStore, 'services' | 'routes' | 'audit'>
  outbound: Outbound
  urlOf: (app: App) => string
}

/** So much of a reply's body is shown. */
const KEEP_BYTES = 8 * 1024

const READING_METHODS = ['GET', 'HEAD']

export function addRouteTestsRoutes(app: FastifyInstance, needs: TestNeeds): void {
  const tester = createTester(needs)
  mount(app, routes.test, async ({ params, body }, act) => {
    const route = await findRoute(needs, params.id)
    return route === undefined ? unknownRoute(params.id) : tester(act, params.id, route, body?.send === true)
  })
}

async function findRoute({ store, urlOf }: TestNeeds, id: string): Promise<RouteToTry | undefined> {
  const call = findBuiltinCall(id)
  if (call !== undefined) {
    const { method, path } = call.endpoint
    return { method, path: bracedPath(path), parameters: '{}', serviceUrl: urlOf(call.app) }
  }
  const route = await store.routes.find(rowIdOf(id))
  const service = route && (await store.services.find(route.service_id))
  return service && { ...route, serviceUrl: urlOfService(service, urlOf) }
}

function createTester({ store, outbound }: TestNeeds) {
  /** A route can lead to its own test; then the second one ends the chain. */
  const underTest = new Set<string>()

  return async (act: Act, id: string, route: RouteToTry, isSendMeant: boolean) => {
    const record = (told: object) => {
      const after = { method: route.method, path: route.path, ...told }
      return store.audit.record(act, { entity: 'route-test', target: id, before: null, after })
    }
    const isReading = READING_METHODS.includes(route.method)
    const request = isReading || isSendMeant ? requestOfRoute(route) : notSent(route)
    const ready = underTest.has(id) ? UNDER_TEST : request
    if (typeof ready === 'string') {
      await record({ sent: false })
      return { success: false as const, error: ready }
    }
    if (!isReading) await record({ sent: 'about to be' })
    underTest.add(id)
    const sent = outbound.send({ ...ready, keepBytes: KEEP_BYTES })
    const outcome = await sent.finally(() => underTest.delete(id))
    await record({ sent: true, ...resultOf(outcome) })
    return outcomeToWire(outcome)
  }
}

/** API-26: a test must not trade or restore by surprise. */
function notSent({ method }: RouteToTry): string {
  return `A test sends only GET and HEAD by itself, since ${method} may change something. Send {"send": true} to do it on purpose.`
}

function resultOf(outcome: OutboundOutcome) {
  return outcome.ok ? { status: outcome.status } : { error: outcome.sentence }
}

const UNDER_TEST = 'This route is being tested already. Wait for that test to end.'

function outcomeToWire(outcome: OutboundOutcome) {
  if (!outcome.ok) {
    return { success: false as const, response_time: outcome.elapsedMs, error: outcome.sentence }
  }
  const { elapsedMs, status, contentType, sizeBytes, isCut, kept } = outcome
  const seen = {
    response_time: elapsedMs,
    status,
    size: sizeBytes,
    content_type: contentType ?? null,
    body: kept.toString('utf8'),
    is_cut: isCut || sizeBytes > kept.length,
  }
  return isOk(status)
    ? { success: true as const, ...seen }
    : { success: false as const, ...seen, error: errorOfStatus(status) }
}

function errorOfStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`
}
