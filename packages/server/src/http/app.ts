import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify'
import { isNestedDeeper } from './json-depth.ts'
import { RequestLog } from './log.ts'
import { answerThrown, newRequestId, Refused, sendProblem, ThrownRefusal } from './problems.ts'
import { SITE_PAGE, serveSite, wantsPage } from './site.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Far more than any call needs. Whatever walks a value by itself, such as a copy for a thread, ends at some depth. */
const DEEPEST_BODY = 64

/** Setting keys and table names travel in the path, encoded; the router's own limit of 100 would cut them off. */
const PATH_PART_LIMIT = 2048

export interface HttpAppOptions {
  logger: FastifyBaseLogger
  /** The built site, if this app serves it. */
  siteFolder?: string | undefined
}

/** An app without calls: it reads JSON only and answers every failure with a problem document. */
export function createHttpApp({ logger, siteFolder }: HttpAppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: PATH_PART_LIMIT },
    frameworkErrors: (error, request, reply) => void answerThrown(error, request, reply),
    return503OnClosing: false,
  })
  readJsonOnly(app)
  app.setErrorHandler(answerThrown)
  app.setNotFoundHandler((request, reply) =>
    siteFolder !== undefined && wantsPage(request)
      ? reply.sendFile(SITE_PAGE)
      : sendProblem(request, reply, unknownRoute(request)),
  )
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  if (siteFolder !== undefined) serveSite(app, siteFolder)
  return app
}

function unknownRoute({ method, url }: { method: string; url: string }): Refused {
  const path = url.split(/[?#]/, 1)[0]
  return new Refused(
    'route.unknown',
    `Nothing answers ${method} ${path} here. GET /api/openapi.json lists the calls.`,
  )
}

const TOO_DEEP = new ThrownRefusal(
  new Refused(
    'request.malformed',
    `The request body is nested more than ${DEEPEST_BODY} levels deep. Send it flatter.`,
  ),
)

/** A page of another site can send forms and plain text without being asked about it, but not JSON. */
function readJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = body.toString()
    if (json.length === 0) done(null, undefined)
    else if (isNestedDeeper(json, DEEPEST_BODY)) done(TOO_DEEP)
    else parseJson(request, json, done)
  })
}
