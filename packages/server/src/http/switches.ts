import { type Endpoint, idOf } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { onEachCall } from './call-hooks.ts'
import { Refused, sendProblem } from './problems.ts'

/** API-24: refuses a switched-off call before its body is read. Always-on calls ignore a switch stored by an older version. */
export function refuseSwitchedOff(app: FastifyInstance, isOff: (callId: string) => boolean): void {
  onEachCall(app, (endpoint) => {
    const id = idOf(endpoint)
    if (id === undefined || endpoint.alwaysOn) return undefined
    return (request, reply, done) => {
      if (isOff(id)) sendProblem(request, reply, refusalOf(endpoint))
      else done()
    }
  })
}

function refusalOf({ method, path }: Endpoint): Refused {
  return new Refused(
    'route.disabled',
    `${method} ${path} is switched off. An administrator can switch it on again under API Configuration.`,
  )
}
