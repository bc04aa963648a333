import type { IncomingMessage } from 'node:http'
import { ENGINE_HEADER, ENGINE_PARAMETER, STREAM } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Refused } from './problems.ts'

/** The app that answers a request, or why none does; undefined: the listener's own. */
export type AppOf = (request: IncomingMessage) => FastifyInstance | Refused | undefined

/** The admin store and the databases are those of the server, whatever the engine. */
const SHARED = /^\/api\/(admin|db)\//

/** ENGS-3: each engine has its own app, and a call names the engine; the stream does it in its address. */
export function dispatchByEngine(find: (name: string) => ReturnType<AppOf>): AppOf {
  return ({ url = '', headers }) => {
    const [path = '', query] = url.split('?')
    if (SHARED.test(path)) return undefined
    const named = path === STREAM.path ? new URLSearchParams(query).get(ENGINE_PARAMETER) : null
    const name = named ?? headers[ENGINE_HEADER]
    return typeof name === 'string' && name !== '' ? find(name) : undefined
  }
}
