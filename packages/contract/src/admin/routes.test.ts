import { describe, expect, test } from 'vitest'
import { NewRoute, RouteChange, routes } from './routes.ts'

const route = {
  id: 4,
  api_endpoint_id: 1,
  method: 'GET',
  path: '/api/orders',
  description: 'Orders',
  parameters: '{}',
  is_active: 1,
  requires_auth: 0,
}

describe('the list of routes', () => {
  test('[CALL-21] [CALL-42] each has its flags as 0 or 1 and its parameters as JSON text', () => {
    expect(routes.list.reply.parse({ routes: [route] })).toEqual({ routes: [route] })
  })

  test('[CLIENT-6] [CLIENT-7] a bare array with booleans is understood', () => {
    const sent = { ...route, is_active: true, requires_auth: false }
    expect(routes.list.reply.parse([sent])).toEqual({ routes: [route] })
  })

  test.each([
    [undefined, '{}'],
    [null, '{}'],
    [{ limit: 5 }, '{"limit":5}'],
    ['{"a":1}', '{"a":1}'],
  ])('parameters of %j read as %j', (parameters, text) => {
    expect(routes.list.reply.parse([{ ...route, parameters }]).routes[0]?.parameters).toBe(text)
  })

  test('a route that does not say needs no account', () => {
    const { requires_auth: _, ...silent } = route
    expect(routes.list.reply.parse([silent])).toEqual({ routes: [route] })
  })
})

describe('a change', () => {
  const edit = { method: 'PUT', path: '/api/x', description: '', parameters: '{}' }

  test('[API-12] of is_active alone is a toggle', () => {
    expect(RouteChange.parse({ is_active: 0 })).toEqual({ is_active: 0 })
    expect(RouteChange.safeParse({ is_active: false }).success).toBe(false)
  })

  test('[API-18] of method, path, description and parameters is an edit', () => {
    expect(RouteChange.parse(edit)).toEqual(edit)
  })

  test.each([{}, { method: 'GET' }, { ...edit, is_active: 1 }, { ...edit, method: 'HEAD' }])(
    '[CALL-4] of %j is refused',
    (body) => {
      expect(RouteChange.safeParse(body).success).toBe(false)
    },
  )

  test('that is neither is answered with what to send', () => {
    expect(RouteChange.safeParse({}).error?.issues[0]?.message).toBe(
      'send is_active alone to toggle, or method, path, description and parameters to edit',
    )
  })

  test("[CALL-22] a new route without parameters has '{}'", () => {
    const { parameters: _, ...silent } = { ...edit, api_endpoint_id: 1 }
    expect(NewRoute.parse(silent)).toEqual({ ...edit, api_endpoint_id: 1 })
  })

  test('[API-23] answered with success false is a failure', () => {
    expect(routes.update.reply.parse({ success: false })).toEqual({ success: false })
    expect(routes.update.reply.parse({ ...route })).toEqual({ success: true })
  })
})

describe('a test of a route', () => {
  test('[API-14] is sent with an empty body, which may be none, or says send', () => {
    expect(routes.test.body.parse(undefined)).toBeUndefined()
    expect(routes.test.body.parse({})).toEqual({})
    expect(routes.test.body.parse({ send: true })).toEqual({ send: true })
  })

  test('[API-14] tells success, response_time and error', () => {
    const passed = { success: true, response_time: 42, error: null }
    const failed = { success: false, response_time: 42, error: 'HTTP 500' }
    expect(routes.test.reply.parse(passed)).toEqual(passed)
    expect(routes.test.reply.parse(failed)).toEqual(failed)
  })
})
