import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ById, Config, Done, Flag, Id, ifGiven, listOf, orDone, TolerantBoolean } from './shared.ts'

describe('ids', () => {
  test('[CLIENT-6] a reply may number or name its rows', () => {
    expect(Id.parse(7)).toBe(7)
    expect(Id.parse('BTC-7')).toBe('BTC-7')
    expect(Id.safeParse(null).success).toBe(false)
  })

  test('a numeric id is passed on into a path, where it is text', () => {
    expect(ById.parse({ id: 7 })).toEqual({ id: '7' })
    expect(ById.parse({ id: 'o-1' })).toEqual({ id: 'o-1' })
  })

  test.each([{}, { id: '' }, { id: null }])('%j is no id of a path', (params) => {
    expect(ById.safeParse(params).success).toBe(false)
  })
})

test('a setting that no number can hold is refused with its place, since it would be kept as none', () => {
  const settings: unknown = JSON.parse(
    '{"order_value":1e400,"parameters":{"levels":[1,-1e400]},"name":"1e400"}',
  )
  expect(Config.safeParse(settings).error?.issues).toMatchObject([
    { path: ['order_value'], message: 'is too large a number' },
    { path: ['parameters', 'levels', '1'], message: 'is too large a number' },
  ])
  expect(Config.safeParse({ order_value: 1e308, levels: [null, '', {}] }).success).toBe(true)
})

describe('flags', () => {
  test.each([
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
  ])('[CLIENT-6] %j is read as %j', (sent, flag) => {
    expect(Flag.parse(sent)).toBe(flag)
  })

  test.each([
    [0, false],
    [1, true],
    [false, false],
    [true, true],
  ])('[CLIENT-6] where a boolean is specified, %j is read as %j', (sent, truth) => {
    expect(TolerantBoolean.parse(sent)).toBe(truth)
  })

  test.each([2, '1', null, undefined])('%j is not a flag', (sent) => {
    expect(Flag.safeParse(sent).success).toBe(false)
    expect(TolerantBoolean.safeParse(sent).success).toBe(false)
  })
})

describe('the reply of a change', () => {
  test.each([undefined, null, '', 'OK', 3, [], {}, { message: null }, { message: 4 }])(
    '[CLIENT-4] %j will do',
    (reply) => {
      expect(Done.parse(reply)).toEqual({})
    },
  )

  test('keeps its message', () => {
    expect(Done.parse({ message: 'Backup written', size: 3 })).toEqual({ message: 'Backup written' })
  })

  test('[CLIENT-4] a creation gives the entity if the backend sends it, else Done', () => {
    const reply = orDone(z.object({ id: Id, status: z.string() }))
    expect(reply.parse({ id: 1, status: 'PENDING' })).toEqual({ id: 1, status: 'PENDING' })
    expect(reply.parse({ message: 'created' })).toEqual({ message: 'created' })
    expect(reply.parse(undefined)).toEqual({})
  })
})

describe('lists', () => {
  const reply = listOf('routes', z.object({ id: Id }))

  test('[CLIENT-7] an envelope and a bare array are the same list', () => {
    expect(reply.parse({ routes: [{ id: 1 }], total: 1 })).toEqual({ routes: [{ id: 1 }] })
    expect(reply.parse([{ id: 1 }])).toEqual({ routes: [{ id: 1 }] })
    expect(reply.parse([])).toEqual({ routes: [] })
  })

  test.each([undefined, {}, { routes: null }, { items: [] }, [{}]])(
    '[CLIENT-5] %j is no such list',
    (sent) => {
      expect(reply.safeParse(sent).success).toBe(false)
    },
  )
})

test('nonsense in a field that may be absent leaves the rest of the reply standing', () => {
  const reply = z.object({ id: Id, size: ifGiven(z.number()) })
  expect(reply.parse({ id: 1, size: 'big' })).toEqual({ id: 1 })
  expect(reply.parse({ id: 1, size: null })).toEqual({ id: 1 })
  expect(reply.parse({ id: 1, size: 5 })).toEqual({ id: 1, size: 5 })
})
