import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NewBacktest } from '@binnacle/contract'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBacktests } from '#testkit/backtests.ts'

const ACT = serverAuditContext('backtests.start')
const DICE = `export const createStrategy = () => ({
  onBar(bar, desk) { if (Math.random() < 0.1) desk.target(Math.random() < 0.5 ? 0 : 0.01) },
})`

function asking(module: string, seed = 1): NewBacktest {
  return NewBacktest.parse({
    strategy: { type: 'custom', config: { module } },
    instruments: ['BTCUSDT'],
    from: '2026-01-05T00:00:00Z',
    to: '2026-01-05T06:00:00Z',
    seed,
  })
}

async function aRoom(module: string) {
  const strategiesFolder = temporaryFolder({ 'mine.ts': module })
  const { store } = await newAdminStore()
  const runs = await newBacktests(store, { strategiesFolder })
  const begin = async (request: NewBacktest): Promise<number> => {
    const view = await runs.start(ACT, request)
    if (view instanceof Refused) throw new Error(view.detail)
    return view.row.id
  }
  const ended = async (id: number) => {
    await runs.ended(id)
    const found = await runs.find(id)
    return {
      ...found?.row,
      hash: found?.result ? JSON.parse(found.result).hash : null,
      result: found?.result,
    }
  }
  return { runs, begin, ended, strategiesFolder }
}

test('[CUST-13] a record of a custom strategy gives the same hash again, and another with another seed', async () => {
  const { runs, begin, ended } = await aRoom(DICE)
  const id = await begin(asking('mine.ts'))
  const first = await ended(id)
  expect(first).toMatchObject({ status: 'completed' })
  expect(JSON.parse(first.result ?? '').trades.length).toBeGreaterThan(5)
  const rerun = await runs.rerun(ACT, id)
  if (rerun instanceof Refused) throw new Error(rerun.detail)
  expect((await ended(rerun.row.id)).hash).toBe(first.hash)
  expect((await ended(await begin(asking('mine.ts', 2)))).hash).not.toBe(first.hash)
})

test('[CUST-13] a record says which text of the module ran', async () => {
  const { begin, ended, strategiesFolder } = await aRoom(DICE)
  const first = await ended(await begin(asking('mine.ts')))
  writeFileSync(join(strategiesFolder, 'mine.ts'), `${DICE}\n`)
  const second = await ended(await begin(asking('mine.ts')))
  expect(first.engine_version).toMatch(/\+custom\.[0-9a-f]{12}$/)
  expect(second.engine_version).not.toBe(first.engine_version)
})

test('[CUST-5] a module that fails in a backtest ends it as failed, with the reason', async () => {
  const { begin, ended } = await aRoom('export const createStrategy = () => ({ onBar() { null.x } })')
  expect(await ended(await begin(asking('mine.ts')))).toMatchObject({
    status: 'failed',
    error: "mine.ts failed: TypeError: Cannot read properties of null (reading 'x') (mine.ts:1)",
  })
})

test('[CUST-5] a module with an intent that the engine refuses makes its backtest fail', async () => {
  const { begin, ended } = await aRoom(
    'export const createStrategy = () => ({ onBar(_, desk) { desk.target(1e9) } })',
  )
  expect(await ended(await begin(asking('mine.ts')))).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^invalid target: \d+ lots of BTCUSDT$/),
  })
})

test('[CUST-5] a backtest whose module never answers is cancelled all the same', async () => {
  const { runs, begin } = await aRoom('export const createStrategy = () => ({ onBar() { for (;;) {} } })')
  const id = await begin(asking('mine.ts'))
  await expect.poll(async () => (await runs.find(id))?.row.status, { timeout: 120_000 }).toBe('running')
  const view = await runs.cancel({ ...ACT, action: 'backtests.cancel' }, id)
  expect(view).toMatchObject({ row: { status: 'cancelled' } })
})

test('[CUST-9] a backtest of a module that is not there is refused with the field', async () => {
  const { runs } = await aRoom(DICE)
  expect(await runs.start(ACT, asking('gone.ts'))).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'body.strategy.config.module' }],
  })
})
