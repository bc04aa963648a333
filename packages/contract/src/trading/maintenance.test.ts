import { expect, test } from 'vitest'
import { components, nautilusComponents } from './components.ts'
import { maintenance } from './maintenance.ts'

test('[CALL-18] backup and optimize take a db_type, clean a cache_type, in lower case', () => {
  for (const { body } of [maintenance.backup, maintenance.optimize]) {
    for (const db_type of ['postgresql', 'parquet', 'redis', 'all'])
      expect(body.parse({ db_type })).toEqual({ db_type })
    expect(body.safeParse({ db_type: 'PostgreSQL' }).success).toBe(false)
    expect(body.safeParse({ cache_type: 'redis' }).success).toBe(false)
  }
  expect(maintenance.clean.body.parse({ cache_type: 'redis' })).toEqual({ cache_type: 'redis' })
  expect(maintenance.clean.body.safeParse({ cache_type: 'Redis' }).success).toBe(false)
})

test('[CALL-18] each returns a message', () => {
  for (const { reply } of [maintenance.backup, maintenance.optimize, maintenance.clean]) {
    expect(reply.parse({ message: 'Done in 3 s' })).toEqual({ message: 'Done in 3 s' })
  }
})

test('[CALL-7] stop and restart take a component, configure a component and its config', () => {
  const component = 'RiskEngine'
  expect(components.stop.body.parse({ component })).toEqual({ component })
  expect(components.restart.body.parse({ component })).toEqual({ component })
  expect(components.configure.body.parse({ component, config: {} })).toEqual({ component, config: {} })
  expect(components.configure.body.safeParse({ component }).success).toBe(false)
  expect(components.stop.body.safeParse({ component, config: {} }).success).toBe(false)
})

test('the documented paths name the component in the path', () => {
  expect(nautilusComponents.stop.params.parse({ component_id: 'RiskEngine' })).toEqual({
    component_id: 'RiskEngine',
  })
})
