import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { allCalls } from './apis.ts'
import { componentSchemas } from './json-schema.ts'
import { listener } from './listener.ts'
import { bracedPath, printOpenApi } from './openapi.ts'

const document = printOpenApi()
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the document', () => {
  test('has one operation per call, with those of every listener counted once', () => {
    const SHARED_TWICE_MORE = 2 * Object.keys(listener).length
    expect(operations).toHaveLength(allCalls().length - SHARED_TWICE_MORE)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  })

  test('[CALL-71] of one API has its calls and its server only', () => {
    const admin = printOpenApi(['admin'])
    expect(Object.keys(admin.paths)).toContain('/api/openapi.json')
    expect(
      Object.keys(admin.paths).filter((path) => !/^.api.(admin.|health|ready|openapi)/.test(path)),
    ).toEqual([])
    expect(admin).toMatchObject({ servers: [{ url: 'http://localhost:8001' }] })
    expect(admin.paths['/api/health']?.get?.servers).toHaveLength(1)
  })

  test('is the same each time it is printed', () => {
    expect(JSON.stringify(printOpenApi())).toBe(JSON.stringify(document))
  })

  test('names the three servers, and for each operation those that answer it', () => {
    const urls = ['http://localhost:8000', 'http://localhost:8001', 'http://localhost:8002']
    expect(document).toMatchObject({ servers: urls.map((url) => ({ url })) })
    expect(document.paths['/api/health']?.get?.servers.map(({ url }) => url)).toEqual(urls)
    expect(document.paths['/api/orders']?.get?.servers.map(({ url }) => url)).toEqual([urls[0]])
  })

  test('has every schema that it refers to', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(refs.length).toBeGreaterThan(100)
    for (const [, kind, name] of refs) expect(document.components).toHaveProperty(`${kind}.${name}`)
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  test('declares every parameter of every path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(methods))
        expect(pathParameters(parameters)).toEqual(placeholders)
    }
  })
})

describe('an operation', () => {
  test('[ORD-39] has the header parameter Idempotency-Key where the call accepts it', () => {
    const keyed = operations.filter((operation) =>
      JSON.stringify(operation.parameters ?? []).includes('Idempotency-Key'),
    )
    expect(keyed.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['orders.place', 'positions.close', 'strategies.add', 'nautilusStrategies.add']),
    )
  })

  test('tells its role, its schemas, its status and its problems', () => {
    expect(document.paths['/api/orders']?.post).toEqual({
      operationId: 'orders.place',
      summary: 'Place an order',
      tags: ['orders'],
      servers: [{ url: 'http://localhost:8000', description: 'The trading API' }],
      'x-required-role': 'trader',
      'x-origin': 'specified',
      parameters: [expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false })],
      requestBody: { required: true, content: json({ $ref: '#/components/schemas/NewOrder' }) },
      responses: {
        201: {
          description: 'Created',
          headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
          content: json({
            anyOf: [{ $ref: '#/components/schemas/Order' }, { $ref: '#/components/schemas/Done' }],
          }),
        },
        422: { $ref: '#/components/responses/Invalid' },
        default: { $ref: '#/components/responses/Problem' },
      },
    })
  })

  test('tells its capability, and that it can never be switched off', () => {
    expect(document.paths['/api/admin/endpoints/health']?.get).toMatchObject({
      'x-origin': 'capability',
      'x-capability': 'probes',
    })
    expect(document.paths['/api/orders/{id}']?.delete).toMatchObject({ 'x-always-on': true })
    expect(document.paths['/api/orders']?.get).not.toHaveProperty('x-always-on')
  })

  test('[CALL-65] sends an ETag or accepts If-Match where there are versions', () => {
    const limits = document.paths['/api/risk/limits']
    expect(limits?.get?.responses[200]).toMatchObject({ headers: { ETag: {} } })
    expect(limits?.post).toMatchObject({
      parameters: [{ name: 'If-Match', in: 'header', required: false }],
      responses: { 412: { $ref: '#/components/responses/Changed' } },
    })
    const guarded = operations.filter(({ parameters }) =>
      JSON.stringify(parameters ?? []).includes('If-Match'),
    )
    expect(guarded.map(({ operationId }) => operationId).sort()).toEqual([
      'risk.saveLimits',
      'routes.remove',
      'routes.update',
      'settings.remove',
      'settings.update',
    ])
  })

  test('whose body may be left out says so', () => {
    expect(document.paths['/api/admin/routes/{id}/test']?.post).toMatchObject({
      requestBody: { required: false },
    })
  })
})

test('paths are written with braces', () => {
  expect(bracedPath('/api/db/:conn/restore/:backupId')).toBe('/api/db/{conn}/restore/{backupId}')
})

test('two different schemas of one name are refused', () => {
  const first = z.object({ thing: z.object({ a: z.string() }).meta({ id: 'Twin' }) })
  const second = () => z.object({ thing: z.object({ b: z.string() }).meta({ id: 'Twin' }) })
  expect(() => componentSchemas([first, second()])).toThrow('Twin')
})

function json(schema: object) {
  return { 'application/json': { schema } }
}

function pathParameters(parameters: unknown): unknown[] {
  const declared =
    z
      .array(z.object({ name: z.string(), in: z.string() }))
      .optional()
      .parse(parameters) ?? []
  return declared.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
}
