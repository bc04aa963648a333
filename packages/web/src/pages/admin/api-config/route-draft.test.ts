import { describe, expect, it } from 'vitest'
import { draftOf, isJson, methodsFor } from './route-draft.ts'

describe('a route in its form', () => {
  it('[API-20] the methods offered are GET, POST, PUT, DELETE and PATCH', () => {
    expect(methodsFor('GET')).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
  })

  it('a method of another backend stays choosable, so that an edit does not change it', () => {
    expect(methodsFor('HEAD')).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])
  })

  it('[API-18] a row without description is edited with an empty one', () => {
    const route = {
      id: 1,
      api_endpoint_id: 2,
      method: 'PUT',
      path: '/x',
      description: null,
      parameters: '{"a":1}',
      is_active: 1,
      requires_auth: 0,
    } as const
    expect(draftOf(route)).toEqual({ method: 'PUT', path: '/x', description: '', parameters: '{"a":1}' })
  })

  it('tells JSON from other text', () => {
    expect(isJson('{}')).toBe(true)
    expect(isJson('null')).toBe(true)
    expect(isJson('{limit}')).toBe(false)
    expect(isJson('')).toBe(false)
  })
})
