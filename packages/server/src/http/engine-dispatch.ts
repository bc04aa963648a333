import type { IncomingMessage } from 'node:http'
import { ENGINE_HEADER, ENGINE_PARAMETER, engines, listener, STREAM, service } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Refused } from './problems.ts'

/** The app of an engine, the listener's own one, or why none answers. */
export type EngineApp = FastifyInstance | 'listener' | Refused
export type ChooseApp = (request: IncomingMessage) => EngineApp

/** An engine's name and the part of the request that has it. */
export interface NamedEngine {
  name: string
  field: string
}

/** The admin store and the databases are those of the server, whatever the engine. */
const SHARED = /^\/api\/(admin|db)\//
/** These are about the server: they answer also when an engine cannot be reached. */
const OF_SERVER: ReadonlySet<string> = new Set([service.health.path, listener.health.path, engines.list.path])
const HEADER_FIELD = `header.${ENGINE_HEADER}`
const PARAMETER_FIELD = `query.${ENGINE_PARAMETER}`

/** ENGS-3: each engine has its own app, and a call names the engine; the stream does it in its address. */
export function dispatchByEngine(appOf: (named: NamedEngine) => EngineApp): ChooseApp {
  return ({ url = '', headers }) => {
    // Most requests name no engine, and a server usually has one.
    if (headers[ENGINE_HEADER] === undefined && !url.startsWith(STREAM.path)) return 'listener'
    const [path = '', query] = url.split('?')
    if (SHARED.test(path) || OF_SERVER.has(path)) return 'listener'
    const parameters = path === STREAM.path ? new URLSearchParams(query).getAll(ENGINE_PARAMETER) : []
    const header = headers[ENGINE_HEADER]
    const named = [
      ...parameters.map((name) => ({ name, field: PARAMETER_FIELD })),
      ...(header === undefined ? [] : [{ name: String(header), field: HEADER_FIELD }]),
    ]
    const empty = named.find(({ name }) => name === '')
    if (empty !== undefined) return refuse(empty.field, 'is empty; name an engine, or leave it out')
    if (parameters.length > 1) return refuse(PARAMETER_FIELD, 'is given more than once; name one engine')
    const [first, second] = named
    if (first === undefined) return 'listener'
    if (second !== undefined && second.name !== first.name)
      return refuse(PARAMETER_FIELD, 'differs from the header Binnacle-Engine; name one engine')
    return appOf(first)
  }
}

function refuse(field: string, message: string): Refused {
  return new Refused('request.invalid', `${field} ${message}.`, [{ field, message }])
}
