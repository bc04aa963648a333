import { expect, test, vi } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test('a child gets the compile cache and no other variable of the server', () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '/cache')
  vi.stubEnv('BINNACLE_SECRET', 'sesame')
  expect(childEnvironment()).toEqual({ NODE_COMPILE_CACHE: '/cache' })
  expect(childEnvironment({ LC_ALL: 'C' })).toEqual({ NODE_COMPILE_CACHE: '/cache', LC_ALL: 'C' })
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
  expect(childEnvironment()).toEqual({})
})
