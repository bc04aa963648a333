import { describe, expect, test } from 'vitest'
import { draftOf, methodsFor } from './route-draft.ts'

describe('a route in its form', () => {
  test('[API-20] the methods offered are GET, POST, PUT, DELETE and PATCH', () => {
    expect(methodsFor('GET')).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
  })

  test('a method outside the list stays selectable, so that an edit does not change it', () => {
    expect(methodsFor('HEAD')).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])
  })

  test('[API-18] a row without description is edited with an empty one', () => {
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
})
