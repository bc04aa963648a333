import { isIP } from 'node:net'
import { APPS, type App, bracedPath, routes } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { parseRowId } from '#http/row-id.ts'
import { classifyAddress } from '#services/outbound/address-kind.ts'
import type { Outbound, OutboundOutcome } from '#services/outbound/outbound.ts'
import { isOk, urlOfService } from '#services/outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { findBuiltinCall } from './builtin-routes.ts'
import { type RouteTarget, requestOfRoute } from './route-request.ts'
import { unknownRoute } from './routes.routes.ts'

interface RouteTestOptions {
  store: Pick<AdminStore, 'services' | 'routes' | 'audit'>
  outbound: Outbound
  urlOf: (app: App) => string
}

/** Maximum part of the response body to show. */
const MAX_BODY_BYTES = 8 * 1024

const SAFE_METHODS = ['GET', 'HEAD']

export function addRouteTestsRoutes(app: FastifyInstance, options: RouteTestOptions): void {
  const tester = createTester(options)
  mount(app, routes.test, async ({ params, body }, { audit }) => {
    const route = await findRoute(options, params.id)
    return route === undefined
      ? unknownRoute(params.id)
      : tester(
          audit,
          params.id,
          { ...route, parameters: body?.parameters ?? route.parameters },
          {
            isSendConfirmed: body?.send === true,
            isOwnConfirmed: body?.own_server === true,
          },
        )
  })
}

async function findRoute({ store, urlOf }: RouteTestOptions, id: string): Promise<RouteTarget | undefined> {
  const call = findBuiltinCall(id)
  if (call !== undefined) {
    const { method, path } = call.endpoint
    return { method, path: bracedPath(path), parameters: '{}', serviceUrl: urlOf(call.app) }
  }
  const route = await store.routes.find(parseRowId(id))
  const service = route && (await store.services.find(route.service_id))
  return service && { ...route, serviceUrl: urlOfService(service, urlOf) }
}

interface Confirmations {
  isSendConfirmed: boolean
  /** A second one, for a call of this server itself. */
  isOwnConfirmed: boolean
}

function createTester({ store, outbound, urlOf }: RouteTestOptions) {
  /** Routes being tested. A route may point to its own test; the second test is refused. */
  const underTest = new Set<string>()

  return async (audit: AuditContext, id: string, route: RouteTarget, confirmations: Confirmations) => {
    const record = (details: object) => {
      const after = { method: route.method, path: route.path, ...details }
      return store.audit.record(audit, { entity: 'route-test', target: id, before: null, after })
    }
    const isSafe = SAFE_METHODS.includes(route.method)
    const request =
      isSafe || confirmations.isSendConfirmed ? requestOfRoute(route) : confirmationRequired(route)
    const ready = underTest.has(id) ? ALREADY_TESTING : request
    if (typeof ready === 'string') {
      await record({ sent: false })
      return { success: false as const, error: ready }
    }
    const isOwn = isOwnAddress(ready.url, urlOf)
    if (!isSafe && isOwn && !confirmations.isOwnConfirmed) {
      await record({ sent: false, own_server: true })
      return {
        success: false as const,
        error: ownConfirmationRequired(route),
        confirm: 'own_server' as const,
      }
    }
    if (!isSafe) await record({ sent: 'about to be', ...(isOwn && { own_server: true }) })
    underTest.add(id)
    const sent = outbound.send({ ...ready, maxBodyBytes: MAX_BODY_BYTES })
    const outcome = await sent.finally(() => underTest.delete(id))
    await record({ sent: true, ...resultOf(outcome) })
    return outcomeToWire(outcome)
  }
}

/** API-26: a test must not trade or restore without confirmation. */
function confirmationRequired({ method }: RouteTarget): string {
  return `${method} may change something, so a test sends it only with confirmation: send {"send": true}.`
}

/** API-36: it really trades, and passes as a request of the person at this machine. */
function ownConfirmationRequired({ method, path }: RouteTarget): string {
  return `${method} ${path} is a call of this Binnacle server, which executes it. A test sends it only with a second confirmation: send {"send": true, "own_server": true}.`
}

/** A name may resolve to this machine, so only another numeric address is surely not this server. */
function isOwnAddress(text: string, urlOf: RouteTestOptions['urlOf']): boolean {
  const url = URL.parse(text)
  if (url === null) return false
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isElsewhere = isIP(host) !== 0 && classifyAddress(host) !== 'loopback'
  return !isElsewhere && APPS.some((app) => portOf(new URL(urlOf(app))) === portOf(url))
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

function resultOf(outcome: OutboundOutcome) {
  return outcome.ok ? { status: outcome.status } : { error: outcome.sentence }
}

const ALREADY_TESTING = 'A test of this route is already running. Wait for it to end.'

function outcomeToWire(outcome: OutboundOutcome) {
  if (!outcome.ok) {
    return { success: false as const, response_time: outcome.elapsedMs, error: outcome.sentence }
  }
  const { elapsedMs, status, contentType, sizeBytes, isCut, body } = outcome
  const response = {
    response_time: elapsedMs,
    status,
    size: sizeBytes,
    content_type: contentType ?? null,
    body: body.toString('utf8'),
    is_cut: isCut || sizeBytes > body.length,
  }
  return isOk(status)
    ? { success: true as const, ...response }
    : { success: false as const, ...response, error: errorOfStatus(status) }
}

function errorOfStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`
}
