import { NewBacktest, NewSweep } from '@binnacle/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBacktests, recordedBars } from '#testkit/backtests.ts'
import { QueueLimit } from './queue-limit.ts'

const ACT = { ...serverAuditContext('backtests.start'), actor: 'ada' }
/** Every bar is played for this one, so that it takes its time. */
const LONG = NewBacktest.parse({
  strategy: { type: 'market_making', config: {} },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-05-01T00:00:00Z',
})

describe('[BT-6] cancelling', () => {
  test('stops a run that is under way, and those that wait never run', async () => {
    const { store } = await newAdminStore()
    const runs = await newBacktests(store, { bars: recordedBars(100_000) })
    const [first, second] = [await begin(runs, LONG), await begin(runs, LONG)]
    await isRunning(store, first)
    expect(await cancelled(runs, second)).toMatchObject({ status: 'cancelled', started_at: null })
    expect(await cancelled(runs, first)).toMatchObject({ status: 'cancelled', error: 'Cancelled.' })
    expect((await store.backtests.resultOf(first))?.hash).toBeUndefined()
    const lines = await store.audit.page({ action: 'backtests.cancel' }, 1e9, 10)
    expect(lines.map(({ actor, target }) => [actor, target])).toEqual([
      ['bob', String(first)],
      ['bob', String(second)],
    ])
    const again = await runs.cancel({ ...ACT, action: 'backtests.cancel' }, first)
    expect(again).toBeInstanceOf(Refused)
    expect(again).toMatchObject({ code: 'backtest.ended' })
  })
})

describe('runs over the same bars', () => {
  test('count them in the files once', async () => {
    const { store } = await newAdminStore()
    let counted = 0
    const runs = await newBacktests(store, { bars: recordedBars(100_000), onCount: () => (counted += 1) })
    const ids = [await begin(runs, LONG), await begin(runs, LONG)]
    expect(counted).toBe(1)
    ids.push(await begin(runs, { ...LONG, to: '2026-01-05T06:00:00Z' }))
    expect(counted).toBe(2)
    for (const id of ids) await cancelled(runs, id)
  })

  test('share them while one of them needs them, whatever else is under way', async () => {
    const { store } = await newAdminStore()
    let counted = 0
    const bars = recordedBars(100_000)
    const runs = await newBacktests(store, { bars, threads: 2, onCount: () => (counted += 1) })
    const long = await begin(runs, LONG)
    const short = { ...LONG, to: '2026-01-05T00:10:00Z' }
    for (let count = 0; count < 2; count++) await runs.ended(await begin(runs, short))
    await cancelled(runs, long)
    expect(counted).toBe(3)
  })

  test('have the same fingerprint, and those over others another', async () => {
    const { store } = await newAdminStore()
    const runs = await newBacktests(store, { threads: 2 })
    const short = { ...LONG, to: '2026-01-05T06:00:00Z' }
    const ids = await Promise.all([LONG, LONG, short].map((request) => begin(runs, request)))
    for (const id of ids) await runs.ended(id)
    const rows = await Promise.all(ids.map((id) => store.backtests.find(id)))
    const [one, same, other] = rows.map((row) => row?.data_fingerprint)
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(same).toBe(one)
    expect(other).not.toBe(one)
  })

  test('do not wait for ever for one that was cancelled while it read them', async () => {
    const { store } = await newAdminStore()
    const runs = await newBacktests(store, { bars: recordedBars(20_000), threads: 2 })
    const [reader, other] = [await begin(runs, LONG), await begin(runs, LONG)]
    await cancelled(runs, reader)
    await runs.ended(other)
    expect(await store.backtests.find(other)).toMatchObject({ status: 'completed' })
  })
})

describe('[BT-4] a run that outlives its server', () => {
  test('is interrupted by a close', async () => {
    const { store } = await newAdminStore()
    const runs = await newBacktests(store, { bars: recordedBars(100_000) })
    const id = await begin(runs, LONG)
    await isRunning(store, id)
    await runs.close()
    expect(await store.backtests.find(id)).toMatchObject({ status: 'interrupted' })
  })

  test('is interrupted by a restart, recorded in the audit log, and can be run again', async () => {
    const { store, file } = await newAdminStore()
    const request = JSON.stringify({ ...LONG, to: '2026-01-05T06:00:00Z' })
    const row = await store.backtests.add(ACT, {
      request,
      seed: 1,
      engine_version: '1.0.0+5',
      rerun_of: null,
    })
    await store.backtests.begin(row.id)
    await store.close()
    const again = await openAdminStore(file)
    onTestFinished(() => again.close())
    expect(await again.backtests.find(row.id)).toMatchObject({
      status: 'interrupted',
      error: 'The server stopped before this backtest ended. Run it again.',
    })
    expect(await again.audit.page({ action: 'backtests.end' }, 1e9, 10)).toMatchObject([
      { actor: 'server', target: String(row.id), before: '{"status":"running"}' },
    ])
    const runs = await newBacktests(again)
    const rerun = await runs.rerun(ACT, row.id)
    if (rerun instanceof Refused) throw new Error(rerun.detail)
    await runs.ended(rerun.row.id)
    expect(await again.backtests.find(rerun.row.id)).toMatchObject({ status: 'completed', rerun_of: row.id })
  })
})

test('[BT-140] the queue has a limit, which runs that arrive together do not pass', async () => {
  const { store } = await newAdminStore()
  // Without threads nothing leaves the queue.
  const runs = await newBacktests(store, { threads: 0, limit: new QueueLimit({ max: 2 }) })
  const views = await Promise.all([LONG, LONG, LONG].map((request) => runs.start(ACT, request)))
  const full =
    '2 backtests are queued or running, and no more can be. Cancel some, or wait until some have ended.'
  const refused = views.filter((view) => view instanceof Refused)
  expect(refused).toMatchObject([{ code: 'backtest.queue-full', detail: full }])
  expect(await store.backtests.list(10, { isArchived: false })).toHaveLength(2)
  const sweep = NewSweep.parse({ base: LONG, parameters: { order_value: { values: [100] } } })
  expect(await runs.sweeps.start(ACT, sweep)).toMatchObject({ detail: full })
  const [queued] = await store.backtests.list(1, { isArchived: false })
  await cancelled(runs, queued?.id ?? 0)
  await begin(runs, LONG)
})

test('[BT-9] a run whose strategy fails is failed, with the bar and the reason, and has no result', async () => {
  const { store } = await newAdminStore()
  // At a cent a coin ten million buy more lots than there can be.
  const [bars] = recordedBars(60)
  if (bars === undefined) throw new Error('no bars')
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(1, 0, 30).fill(2, 30)
  const runs = await newBacktests(store, { bars: [bars] })
  const strategy = {
    type: 'momentum',
    config: { interval: '1m', fast_bars: 2, slow_bars: 5, order_value: 10_000_000 },
  } as const
  const id = await begin(runs, { ...LONG, strategy, to: '2026-01-05T01:00:00Z' })
  await runs.ended(id)
  expect(await store.backtests.find(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /^The strategy momentum failed in the bar of 2026-01-05T00:30:00\.000Z: invalid target: \d+ lots of BTCUSDT\.$/,
    ),
  })
  expect(await store.backtests.resultOf(id)).toBeUndefined()
})

test('[BT-5] a record that has ended can no longer be changed, not even by a mistake of ours', async () => {
  const { store } = await newAdminStore()
  const runs = await newBacktests(store)
  const id = await begin(runs, { ...LONG, to: '2026-01-05T06:00:00Z' })
  await runs.ended(id)
  const stored = await store.backtests.resultOf(id)
  await store.backtests.end(id, 'failed', 'no')
  await expect(store.backtests.fingerprint(id, 'other')).rejects.toThrow('a record is never changed')
  expect(await store.backtests.find(id)).toMatchObject({ status: 'completed' })
  expect(await store.backtests.resultOf(id)).toEqual(stored)
})

type Runs = Awaited<ReturnType<typeof newBacktests>>

async function begin(runs: Runs, request: NewBacktest): Promise<number> {
  const view = await runs.start(ACT, request)
  if (view instanceof Refused) throw new Error(view.detail)
  return view.row.id
}

async function cancelled(runs: Runs, id: number) {
  const view = await runs.cancel({ ...ACT, action: 'backtests.cancel', actor: 'bob' }, id)
  return view instanceof Refused ? view : view.row
}

async function isRunning(
  store: Awaited<ReturnType<typeof newAdminStore>>['store'],
  id: number,
): Promise<void> {
  await expect
    .poll(async () => (await store.backtests.find(id))?.status, { timeout: 120_000 })
    .toBe('running')
}
