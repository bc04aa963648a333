import type { IncomingMessage } from 'node:http'
import { ENGINE_HEADER, ENGINE_PARAMETER, STREAM } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Refused } from './problems.ts'

/** The app of an engine, the listener's own one, or why none answers. */
export type EngineApp = FastifyInstance | 'listener' | Refused
export type ChooseApp = (request: IncomingMessage) => EngineApp

/** The admin store and the databases are those of the server, whatever the engine. */
const SHARED = /^\/api\/(admin|db)\//

/** ENGS-3: each engine has its own app, and a call names the engine; the stream does it in its address. */
export function dispatchByEngine(appOf: (name: string) => EngineApp): ChooseApp {
  return ({ url = '', headers }) => {
    const [path = '', query] = url.split('?')
    if (SHARED.test(path)) return 'listener'
    const named = path === STREAM.path ? new URLSearchParams(query).get(ENGINE_PARAMETER) : null
    const name = named ?? headers[ENGINE_HEADER]
    return typeof name === 'string' && name !== '' ? appOf(name) : 'listener'
  }
}
