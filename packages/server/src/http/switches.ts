import { type Endpoint, idOf } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Refused, sendProblem } from './problems.ts'

/** API-24: a call that is switched off is refused before its body is read, wherever it is mounted. */
export function refuseSwitchedOff(app: FastifyInstance, isOff: (callId: string) => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint === undefined || !isRefused(endpoint, isOff)) return
    await sendProblem(request, reply, refusalOf(endpoint))
  })
}

/** What must always answer does, even if an older version let it be switched off. */
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
