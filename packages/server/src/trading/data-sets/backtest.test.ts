import { Readable } from 'node:stream'
import { NewBacktest } from '@binnacle/contract'
import { type BarColumns, standardInstruments } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { Refused } from '#http/problems.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBacktests, recordedBars } from '#testkit/backtests.ts'
import { openDataSets } from './data-sets.ts'

const ACT = { ...serverAuditContext('backtests.start'), actor: 'ada' }
const REQUEST = NewBacktest.parse({
  strategy: { type: 'momentum', config: {} },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-01-06T00:00:00Z',
})

/** Backtests over a catalog and a data set `own` of the given bars. */
async function withDataSet(catalog: BarColumns[], own: BarColumns) {
  const { store } = await newAdminStore()
  const { jobs } = openAdminServices({ store, urlOf: () => 'http://localhost' })
  const folder = temporaryFolder()
  const sets = await openDataSets({ folder, instruments: standardInstruments(), jobs, uploadLimitBytes: 1e8 })
  onTestFinished(async () => {
    await jobs.close(5_000)
    sets.close()
  })
  const rows = Array.from(own.start, (start, row) =>
    [
      start,
      ...['open', 'high', 'low', 'close'].map((name) => at(own, name, row) / 100),
      at(own, 'volume', row) / 1e5,
    ].join(),
  )
  const body = Object.assign(Readable.from([Buffer.from(rows.join('\n'))]), { headers: {} })
  const uploaded = await sets.upload(body, 'own.csv')
  if (uploaded instanceof Refused) throw new Error(uploaded.detail)
  const { upload_id } = uploaded
  const mapping = {
    kind: 'bars',
    has_header: false,
    time: 'column0',
    time_unit: 'ms',
    open: 'column1',
    high: 'column2',
    low: 'column3',
    close: 'column4',
    volume: 'column5',
  } as const
  const request = {
    upload_id,
    name: 'own',
    instrument: 'BTCUSDT',
    mapping,
    dry_run: false,
    mode: 'create',
  } as const
  const started = await sets.startImport(ACT, request)
  if (started instanceof Refused) throw new Error(started.detail)
  expect(await started.ended).toMatchObject({ state: 'done' })
  const runs = await newBacktests(store, { bars: catalog, dataSets: sets })
  const run = async (request: NewBacktest) => {
    const view = await runs.start(ACT, request)
    if (view instanceof Refused) return view
    await runs.ended(view.row.id)
    const row = await store.backtests.find(view.row.id)
    const result = await store.backtests.resultOf(view.row.id)
    return { status: row?.status, error: row?.error, fingerprint: row?.data_fingerprint, hash: result?.hash }
  }
  return { run, sets }
}

function at(bars: BarColumns, name: string, row: number): number {
  // The names are columns of bars.
  return bars[name as 'open'][row] ?? 0
}

test('[BT-11] [BT-12] a run over a data set uses its bars alone, and its fingerprint names it', async () => {
  const bars = recordedBars(1_440)
  const [own] = bars
  if (own === undefined) expect.fail()
  const { run } = await withDataSet(bars, own)
  const market = await run(REQUEST)
  const imported = await run({ ...REQUEST, data_set: 'own' })
  expect(market).toMatchObject({ status: 'completed', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
  if (market instanceof Refused) expect.fail()
  expect(imported).toEqual({ ...market, fingerprint: `own:${market.fingerprint}`, hash: expect.any(String) })
  const other = await withDataSet([], own)
  expect(await other.run({ ...REQUEST, data_set: 'own' })).toEqual(imported)
  expect(await other.run(REQUEST)).toMatchObject({ code: 'request.invalid' })
})

test('[BT-13] an unknown data set and one with longer bars are refused by field', async () => {
  const [own] = recordedBars(1_440)
  if (own === undefined) expect.fail()
  const hours = { ...own, start: own.start.map((_, row) => (own.start[0] ?? 0) + row * 3_600_000) }
  const { run } = await withDataSet([], hours)
  expect(await run({ ...REQUEST, data_set: 'none' })).toMatchObject({ errors: [{ field: 'body.data_set' }] })
  expect(await run({ ...REQUEST, data_set: 'own' })).toMatchObject({
    detail: "The data set 'own' has bars of 1h; a run over bars of 1m needs shorter ones.",
    errors: [{ field: 'body.interval' }],
  })
  expect(
    await run({ ...REQUEST, data_set: 'own', interval: '4h', to: '2026-02-06T00:00:00Z' }),
  ).toMatchObject({
    status: 'completed',
  })
})
