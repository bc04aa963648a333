import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { REQUEST_ID_HEADER } from '@binnacle/contract'
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { isNestedDeeper } from './json-depth.ts'
import { createChildrenLater, RequestLog } from './log.ts'
import { mountedOn } from './mount.ts'
import { answerThrown, newRequestId, Refused, sendProblem, ThrownRefusal } from './problems.ts'
import { isPageRequest, pathOf, type SendPage, type Site, serveSite } from './site.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Far more than any call needs. Recursive code, such as structured clone, overflows the stack at some depth. */
const MAX_BODY_DEPTH = 64

/** Setting keys and table names are encoded in the path; the router's default of 100 is too short. */
const MAX_PATH_PART_CHARS = 2048

/** mount.ts validates with the contract's schemas. Fastify's own compilers are 100 modules that no route uses. */
const NO_JSON_SCHEMAS = { buildValidator: refuseJsonSchema, buildSerializer: refuseJsonSchema }

function refuseJsonSchema(): never {
  throw new Error('Routes have no JSON schemas: mount.ts validates with those of the contract.')
}

export interface HttpAppOptions {
  logger: FastifyBaseLogger
  /** The built site, if this app serves it. */
  site?: Site | undefined
}

/** Creates an app without routes. It accepts JSON only and answers every failure with a problem document. */
export function createHttpApp({ logger, site }: HttpAppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    bodyLimit: BODY_LIMIT_BYTES,
    schemaController: { compilersFactory: NO_JSON_SCHEMAS },
    routerOptions: { maxParamLength: MAX_PATH_PART_CHARS },
    frameworkErrors: (error, request, reply) => void answerThrown(error, request, reply),
    return503OnClosing: false,
  })
  createChildrenLater(app.log)
  acceptJsonOnly(app)
  let sendPage: SendPage | undefined
  app.setErrorHandler(answerThrown)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(app, pathOf(request))
    if (allowed.length > 0) {
      return sendProblem(request, reply.header('allow', allowed.join(', ')), methodRefusal(request, allowed))
    }
    return sendPage !== undefined && isPageRequest(request)
      ? sendPage(request, reply)
      : sendProblem(request, reply, unknownRouteRefusal(request))
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) {
      reply.header('cache-control', 'no-store')
      reply.header(REQUEST_ID_HEADER, request.id)
    }
    done()
  })
  if (site !== undefined) sendPage = serveSite(app, site)
  return app
}

/** The methods of the declared calls at a path; Fastify answers HEAD wherever it answers GET. */
function methodsAt(app: FastifyInstance, path: string): string[] {
  const methods = [...mountedOn(app).keys()]
    .filter((endpoint) => isPathOf(endpoint.path, path))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...new Set(methods)]
}

function isPathOf(pattern: string, path: string): boolean {
  const [declared, given] = [pattern.split('/'), path.split('/')]
  const isSame = (part: string, index: number) =>
    part.startsWith(':') ? given[index] !== '' : part === given[index]
  return declared.length === given.length && declared.every(isSame)
}

function methodRefusal(request: FastifyRequest, allowed: readonly string[]): Refused {
  return new Refused(
    'route.method',
    `${request.method} is not allowed at ${pathOf(request)}. Allowed: ${allowed.join(', ')}.`,
  )
}

function unknownRouteRefusal(request: FastifyRequest): Refused {
  return new Refused(
    'route.unknown',
    `There is no call ${request.method} ${pathOf(request)}. GET /api/openapi.json lists the calls.`,
  )
}

const TOO_DEEP = new ThrownRefusal(
  new Refused(
    'request.malformed',
    `The request body is nested more than ${MAX_BODY_DEPTH} levels deep. Reduce the nesting.`,
  ),
)

const ENCODED = new ThrownRefusal(
  new Refused(
    'request.content-type',
    'A JSON body must not be compressed: send it without Content-Encoding.',
  ),
)

const OTHER_CHARSET = new ThrownRefusal(
  new Refused(
    'request.content-type',
    'A JSON body must be UTF-8: send it with Content-Type: application/json; charset=utf-8.',
  ),
)

const NOT_UTF8 = new ThrownRefusal(
  new Refused(
    'request.malformed',
    'The request body is not valid UTF-8. Encode it as UTF-8 and send it again.',
  ),
)

/** Any but UTF-8, which has two spellings. */
const CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i

function headerRefusal(headers: IncomingHttpHeaders): ThrownRefusal | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return ENCODED
  return CHARSET.test(headers['content-type'] ?? '') ? OTHER_CHARSET : undefined
}

/** Pages of other sites can send forms and plain text without a preflight request, but not JSON. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) {
      done(null, undefined)
      return
    }
    const refused = headerRefusal(request.headers) ?? (isUtf8(body) ? undefined : NOT_UTF8)
    const json = body.toString()
    if (refused !== undefined) done(refused)
    else if (isNestedDeeper(json, MAX_BODY_DEPTH)) done(TOO_DEEP)
    else parseJson(request, json, done)
  })
}
