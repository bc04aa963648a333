import type { Endpoint } from '@binnacle/contract'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { mountedOn } from './mount.ts'

/**
 * Adds a hook to each declared call that is mounted later, built once for its endpoint: it runs at every request, where
 * looking the endpoint up and awaiting a promise cost more than the check itself.
 */
export function onEachCall(
  app: FastifyInstance,
  hookOf: (endpoint: Endpoint) => onRequestHookHandler | undefined,
): void {
  // A call mounted before would be without the check.
  if (mountedOn(app).size > 0) throw new Error('hooks of calls are added before the calls')
  app.addHook('onRoute', (route) => {
    const endpoint = route.config?.endpoint
    const hook = endpoint && hookOf(endpoint)
    if (hook !== undefined) route.onRequest = [route.onRequest ?? [], hook].flat()
  })
}
