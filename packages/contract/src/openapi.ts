import * as z from 'zod'
import { type Call, callsOf } from './apis.ts'
import { PORTS, VERSION } from './constants.ts'
import { APPS, type App, type Endpoint } from './endpoint.ts'
import { componentSchemas, type JsonSchema, schemaOf } from './json-schema.ts'
import { PROBLEM_CONTENT_TYPE, PROBLEMS, Problem } from './problem.ts'
import { Done } from './shared.ts'
import { ENGINE_PARAMETER } from './trading/engines.ts'
import { STREAM, STREAM_ERRORS, STREAM_SCHEMAS } from './trading/stream.ts'

export interface OpenApiDocument {
  openapi: '3.1.0'
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Reply>
    headers: Record<string, { description: string; schema: JsonSchema }>
  }
  [field: string]: unknown
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  servers: Server[]
  responses: Record<string, Reply | Ref>
  [field: string]: unknown
}

/** The contract of these APIs, by default of all, as an OpenAPI 3.1 document. The output is deterministic. */
export function printOpenApi(apps: readonly App[] = APPS): OpenApiDocument {
  const calls = mergeApps(apps.flatMap(callsOf))
  const hasStream = apps.includes('trading')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Binnacle',
      version: VERSION,
      description: apps.length === 1 ? `The ${apps[0]} API of Binnacle.` : ALL_APIS,
    },
    servers: apps.map(serverOf),
    tags: tagsOf(calls),
    paths: pathsOf(calls),
    components: {
      schemas: componentSchemas([
        Problem,
        ...(hasStream ? streamSchemas() : []),
        ...calls.flatMap(({ endpoint }) => schemasIn(endpoint)),
      ]),
      responses: problemReplies(),
      headers: REPLY_HEADERS,
    },
    ...(hasStream && { 'x-stream': describeStream(), 'x-engine': ENGINE_CHOICE }),
    'x-problems': PROBLEMS,
  }
}

const ALL_APIS =
  'The three APIs of Binnacle. The Binnacle server also serves all of them on the trading port.'

const ENGINE_CHOICE = {
  header: 'Binnacle-Engine',
  stream_parameter: ENGINE_PARAMETER,
  description:
    'Calls of the trading API act on the engine that this header names, the stream on the one in its address; without a name on the first of GET /api/engines. An unknown name is refused with engine.not-configured.',
}

function describeStream() {
  return {
    ...STREAM,
    client: schemaOf(STREAM_SCHEMAS.client).schema,
    server: schemaOf(STREAM_SCHEMAS.server).schema,
    snapshots: topicSchemas(STREAM_SCHEMAS.snapshots),
    changes: topicSchemas(STREAM_SCHEMAS.changes),
    errors: STREAM_ERRORS,
  }
}

function topicSchemas(schemas: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([topic, schema]) => [topic, schemaOf(schema).schema]),
  )
}

function streamSchemas(): z.ZodType[] {
  const { client, server, snapshots, changes } = STREAM_SCHEMAS
  return [client, server, ...Object.values(snapshots), ...Object.values(changes)]
}

/** A path as OpenAPI and the documentation write it: `/api/orders/{id}`. */
export function bracedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

interface Server {
  url: string
  description: string
}

interface Reply {
  description: string
  headers?: Record<string, Ref>
  content: Record<string, { schema: JsonSchema }>
}

interface Ref {
  $ref: string
}

interface MergedCall extends Omit<Call, 'app'> {
  apps: App[]
}

/** A call that several listeners answer is one operation with several servers. */
function mergeApps(calls: Call[]): MergedCall[] {
  const merged = new Map<Endpoint, MergedCall>()
  for (const { id, app, endpoint } of calls) {
    const known = merged.get(endpoint)
    if (known) known.apps.push(app)
    else merged.set(endpoint, { id, endpoint, apps: [app] })
  }
  return [...merged.values()]
}

function serverOf(app: App): Server {
  return { url: `http://localhost:${PORTS[app]}`, description: `The ${app} API` }
}

function tagsOf(calls: MergedCall[]) {
  const byName = new Map(calls.map((call) => [tagOf(call), call.apps]))
  return [...byName].map(([name, apps]) => ({ name, description: `Served by: ${apps.join(', ')}` }))
}

function tagOf({ id }: MergedCall): string {
  return id.slice(0, id.indexOf('.'))
}

function pathsOf(calls: MergedCall[]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const call of calls) {
    const path = bracedPath(call.endpoint.path)
    paths[path] = { ...paths[path], [call.endpoint.method.toLowerCase()]: operationOf(call) }
  }
  return paths
}

function operationOf(call: MergedCall): Operation {
  const { endpoint } = call
  return {
    operationId: call.id,
    summary: endpoint.summary,
    tags: [tagOf(call)],
    servers: call.apps.map(serverOf),
    'x-required-role': endpoint.role,
    ...originOf(endpoint),
    ...(endpoint.alwaysOn && { 'x-always-on': true }),
    ...parametersOf(endpoint),
    ...requestBodyOf(endpoint),
    responses: {
      [endpoint.status]: {
        description: REPLY_DESCRIPTIONS[endpoint.status],
        headers: headersOf(endpoint),
        content: contentOf(endpoint),
      },
      ...(endpoint.mayBeUnconfirmed && { 202: unconfirmedReply() }),
      ...(endpoint.isVersioned &&
        endpoint.method !== 'GET' && { 412: { $ref: '#/components/responses/Changed' } }),
      ...(schemasOfRequest(endpoint).length > 0 && { 422: { $ref: '#/components/responses/Invalid' } }),
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function headersOf({ isVersioned, method }: Endpoint): Reply['headers'] {
  const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
  return isVersioned && method === 'GET'
    ? { ...requestId, ETag: { $ref: '#/components/headers/ETag' } }
    : requestId
}

const REPLY_HEADERS: OpenApiDocument['components']['headers'] = {
  RequestId: {
    description: 'The id of the request, as in the log and in the audit record',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the reply, for If-Match; new with every start of the server',
    schema: { type: 'string' },
  },
}

function contentOf({ produces = ['application/json'], reply }: Endpoint): Reply['content'] {
  const { schema } = schemaOf(reply)
  return Object.fromEntries(produces.map((type) => [type, { schema }]))
}

function unconfirmedReply(): Reply {
  const content = { 'application/json': { schema: schemaOf(Done).schema } }
  return { description: 'Accepted: the venue has not confirmed yet', content }
}

const REPLY_DESCRIPTIONS = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: the job continues in the background',
} as const

function originOf({ origin }: Endpoint) {
  if (typeof origin === 'string') return { 'x-origin': origin }
  return { 'x-origin': 'capability', 'x-capability': origin.capability }
}

function parametersOf({ params, query, acceptsKey, isVersioned, method }: Endpoint) {
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...(acceptsKey ? [KEY_PARAMETER] : []),
    ...(isVersioned && method !== 'GET' ? [VERSION_PARAMETER] : []),
  ]
  return parameters.length > 0 && { parameters }
}

const VERSION_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the version that the change was made for. If it was changed meanwhile, nothing is saved and the reply is 412.',
  schema: { type: 'string' },
}

/** ORD-36 to ORD-38. */
const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new key for every new command, the same key for its repeats: a repeat is answered with the first result and does nothing. Any text; keys of orders are known as long as the order history, also after a restart, those of backups, restores and maintenance until the server ends. A UUIDv7 that no order has and that was created more than 24 hours ago is refused with key.too-old.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined) {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: field,
  }))
}

function requestBodyOf({ body, consumes }: Endpoint) {
  if (consumes) return { requestBody: { required: true, content: { [consumes]: {} } } }
  if (!body) return
  const { schema, required } = schemaOf(body)
  return { requestBody: { required, content: { 'application/json': { schema } } } }
}

function problemReplies(): Record<string, Reply> {
  const content = { [PROBLEM_CONTENT_TYPE]: { schema: schemaOf(Problem).schema } }
  return {
    Invalid: { description: 'The request is not valid; errors lists the fields', content },
    Changed: { description: 'It was changed in the meantime; nothing was saved', content },
    Problem: { description: 'A refusal or a fault, with a text that can be shown to users', content },
  }
}

function schemasIn(endpoint: Endpoint): z.ZodType[] {
  return [...schemasOfRequest(endpoint), endpoint.reply]
}

function schemasOfRequest({ params, query, body }: Endpoint): z.ZodType[] {
  return [params, query, body].filter((schema) => schema !== undefined)
}
