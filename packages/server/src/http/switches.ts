import { type Endpoint, idOf } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Refused, sendProblem } from './problems.ts'

/** API-24: refuses a switched-off call before its body is read. */
export function refuseSwitchedOff(app: FastifyInstance, isOff: (callId: string) => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint === undefined || !isRefused(endpoint, isOff)) return
    await sendProblem(request, reply, refusalOf(endpoint))
  })
}

/** Always-on calls ignore a switch stored by an older version. */
function isRefused(endpoint: Endpoint, isOff: (callId: string) => boolean): boolean {
  const id = idOf(endpoint)
  return id !== undefined && !endpoint.alwaysOn && isOff(id)
}

function refusalOf({ method, path }: Endpoint): Refused {
  return new Refused(
    'route.disabled',
    `${method} ${path} is switched off. An administrator can switch it on again under API Configuration.`,
  )
}
