import type { FastifyInstance } from 'fastify'
import { onEachCall } from './call-hooks.ts'
import { Refused, sendProblem } from './problems.ts'

/** Refuses calls above a number of concurrent ones, over all listeners together. */
export interface RequestLimit {
  apply(app: FastifyInstance): void
}

const RETRY_AFTER_S = '1'

/**
 * SET-19: a call above the limit is answered 503 before its body is read. Calls that reduce risk, and those that undo a
 * setting, neither count nor wait. The limit is read at each call.
 */
export function createRequestLimit(limit: () => number): RequestLimit {
  let open = 0
  const release = () => {
    open -= 1
  }
  return {
    apply(app) {
      onEachCall(app, (endpoint) => {
        if (endpoint.alwaysOn) return undefined
        return (request, reply, done) => {
          if (open >= limit()) {
            sendProblem(request, reply.header('retry-after', RETRY_AFTER_S), busy(limit()))
            return
          }
          open += 1
          reply.raw.on('close', release)
          done()
        }
      })
    },
  }
}

function busy(limit: number): Refused {
  return new Refused(
    'server.busy',
    `More than ${limit} requests at once, so nothing was done. Try again, or raise Max Concurrent Requests in Settings.`,
  )
}
