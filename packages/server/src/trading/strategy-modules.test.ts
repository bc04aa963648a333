import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, type StrategyModule, strategyModules } from '@binnacle/contract'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { createStrategyModules } from '#trading/backtests/strategy-modules.ts'
import { addStrategyModuleRoutes } from './strategy-modules.routes.ts'

const atEnd = afterAllTests()
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  const { store } = await newAdminStore(atEnd)
  folder = temporaryFolder({}, atEnd)
  app = createHttpApp({ logger: silentLog })
  addStrategyModuleRoutes(app, createStrategyModules(folder, store.modules))
})

function save(name: string, source: string, base: string | null) {
  return app.inject({ method: 'PUT', url: `/api/strategy-modules/${name}`, payload: { source, base } })
}

async function find(name: string): Promise<StrategyModule> {
  return (await app.inject({ url: `/api/strategy-modules/${name}` })).json()
}

describe('a strategy module', () => {
  test('[EDIT-1] [EDIT-2] [EDIT-4] is saved as a file with versions, and listed', async () => {
    const first = await save('mine.ts', 'one', null)
    expect(first.json()).toMatchObject({ name: 'mine.ts', source: 'one', version: 1 })
    expect(readFileSync(join(folder, 'mine.ts'), 'utf8')).toBe('one')
    const second = await save('mine.ts', 'two', first.json<StrategyModule>().hash)
    expect(second.json<StrategyModule>().versions.map(({ version, chars }) => [version, chars])).toEqual([
      [2, 3],
      [1, 3],
    ])
    const old = await app.inject({ url: '/api/strategy-modules/mine.ts/versions/1' })
    expect(old.json()).toEqual({ source: 'one' })
    expect((await app.inject({ url: '/api/strategy-modules/mine.ts/versions/9' })).statusCode).toBe(404)
    const list = strategyModules.list.reply.parse((await app.inject({ url: '/api/strategy-modules' })).json())
    expect(list.modules).toMatchObject([{ name: 'mine.ts', version: 2 }])
    expect(list.template).toContain('createStrategy')
    expect(list.types).toContain('export interface Desk')
  })

  test('[EDIT-2] is not overwritten when it was changed meanwhile', async () => {
    const { hash } = (await save('shared.ts', 'mine', null)).json<StrategyModule>()
    await save('shared.ts', 'theirs', hash)
    const late = await save('shared.ts', 'late', hash)
    expect(late.statusCode).toBe(412)
    expect(late.json<Problem>().detail).toContain('shared.ts was changed in the meantime')
    expect((await find('shared.ts')).source).toBe('theirs')
    expect((await save('shared.ts', 'new', null)).statusCode).toBe(412)
    expect((await save('gone.ts', 'text', 'abc')).json<Problem>().detail).toContain('was deleted')
  })

  test('[EDIT-2] that was changed outside keeps that text as a version', async () => {
    await save('outside.ts', 'saved', null)
    writeFileSync(join(folder, 'outside.ts'), 'by hand')
    const found = await find('outside.ts')
    expect(found).toMatchObject({ source: 'by hand', version: null })
    const after = (await save('outside.ts', 'again', found.hash)).json<StrategyModule>()
    expect(after).toMatchObject({ source: 'again', version: 3 })
    const older = await app.inject({ url: '/api/strategy-modules/outside.ts/versions/2' })
    expect(older.json()).toEqual({ source: 'by hand' })
  })

  const form = 'Name must have lower case letters, digits, - and _ only, and end in .ts, such as mine.ts.'
  test.each([
    [
      'binnacle.ts',
      'Name must not be binnacle.ts, which has what a module can use. Choose another name, such as mine.ts.',
    ],
    ['..%2Fmine.ts', form],
    ['Mine.ts', form],
    ['mine.js', form],
    ['.ts', form],
    ['a'.repeat(80), form],
  ])('[EDIT-1] [BT-146] of the name %s is refused', async (name, sentence) => {
    const reply = await save(name, 'x', null)
    expect([reply.statusCode, reply.json<Problem>().detail]).toEqual([422, sentence])
    expect(existsSync(join(folder, 'binnacle.ts'))).toBe(false)
  })

  test('[EDIT-1] behind a link is not read', async () => {
    const secret = join(temporaryFolder(), 'secret.ts')
    writeFileSync(secret, 'secret')
    symlinkSync(secret, join(folder, 'link.ts'))
    expect((await app.inject({ url: '/api/strategy-modules/link.ts' })).statusCode).toBe(404)
  })

  test('[EDIT-3] is checked without being saved', async () => {
    const check = (source: string) =>
      app.inject({ method: 'POST', url: '/api/strategy-modules/new.ts/check', payload: { source } })
    const good = 'export const createStrategy = () => ({ onBar() {} })'
    expect((await check(good)).json()).toEqual({ error: null })
    expect((await check('export const a =\n\nthrow 1')).json().error).toMatchObject({ line: 3 })
    expect(existsSync(join(folder, 'new.ts'))).toBe(false)
  })
})
