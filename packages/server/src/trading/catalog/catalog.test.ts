import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BarColumns,
  createColumns,
  createRandom,
  generateHistory,
  type InstrumentId,
  idFrom,
  instantFromMs,
  standardInstruments,
} from '@binnacle/engine'
import { openDuck } from '@binnacle/stores'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBarFiles } from './bar-files.ts'
import { openCatalog } from './catalog.ts'

const instruments = standardInstruments()
const BTC = idFrom<InstrumentId>('BTCUSDT')
const MINUTE = 60_000
const NEW_YEAR = Date.UTC(2026, 0, 1)

async function aCatalog(folder = temporaryFolder()) {
  const catalog = await openCatalog(folder, instruments)
  onTestFinished(() => catalog.close())
  return { folder, catalog }
}

/** Minutes of BTCUSDT with these closes; high and low lie one tick around. */
function minutes(from: number, closes: readonly number[]): BarColumns {
  const bars = createColumns(BTC, '1m', closes.length)
  for (const [row, close] of closes.entries()) {
    bars.start[row] = from + row * MINUTE
    bars.open[row] = bars.close[row] = close
    bars.high[row] = close + 1
    bars.low[row] = close - 1
    bars.volume[row] = 7
  }
  return bars
}

const period = (from: number, to: number) =>
  ({ instrument: BTC, interval: '1m', from: instantFromMs(from), to: instantFromMs(to) }) as const

test('bars of every instrument are read back as they were written', async () => {
  const { catalog } = await aCatalog()
  const [day] = generateHistory({
    instruments,
    random: createRandom(7),
    from: instantFromMs(NEW_YEAR),
    days: 1,
  })
  for (const bars of day?.bars ?? []) await catalog.writeBars(bars)
  expect(day?.bars).toHaveLength(23)
  for (const bars of day?.bars ?? []) {
    const { instrument, interval } = bars
    const read = await catalog.readBars({
      instrument,
      interval,
      from: instantFromMs(NEW_YEAR),
      to: instantFromMs(NEW_YEAR + 1_440 * MINUTE),
    })
    expect(read).toEqual(bars)
  }
})

test('[MKT-110] bars are read while others are written', async () => {
  const { catalog } = await aCatalog()
  const asked = period(NEW_YEAR, NEW_YEAR + MINUTE)
  await catalog.writeBars(minutes(NEW_YEAR, [5]))
  for (let round = 1; round <= 10; round++) {
    const reads = Array.from({ length: 6 }, () => catalog.readBars(asked))
    await catalog.writeBars(minutes(NEW_YEAR + round * MINUTE, [round]))
    for (const bars of await Promise.all(reads)) expect([...bars.close]).toEqual([5])
  }
})

test('the largest and the smallest price and volume survive exactly', async () => {
  const { catalog } = await aCatalog()
  const bars = minutes(NEW_YEAR, [2, 899_999_999])
  bars.volume.set([0, 900_000_000])
  await catalog.writeBars(bars)
  expect(await catalog.readBars(period(NEW_YEAR, NEW_YEAR + 2 * MINUTE))).toEqual(bars)
})

test('a period takes the bars that start within it, across months', async () => {
  const { catalog, folder } = await aCatalog()
  await catalog.writeBars(minutes(NEW_YEAR - 2 * MINUTE, [10, 20, 30, 40]))
  const read = await catalog.readBars(period(NEW_YEAR - MINUTE, NEW_YEAR + MINUTE))
  expect([...read.close]).toEqual([20, 30])
  expect(readdirSync(join(folder, 'bars', 'BTCUSDT', '1m')).toSorted()).toEqual([
    '2025-12.parquet',
    '2026-01.parquet',
  ])
  expect((await catalog.readBars(period(NEW_YEAR + 9 * MINUTE, NEW_YEAR + 10 * MINUTE))).length).toBe(0)
  expect((await catalog.readBars(period(0, MINUTE))).length).toBe(0)
})

test('bars written later join those of their month and replace those of their minute', async () => {
  const { catalog } = await aCatalog()
  await catalog.writeBars(minutes(NEW_YEAR, [10, 20, 30]))
  await catalog.writeBars(minutes(NEW_YEAR + 2 * MINUTE, [31, 40]))
  const read = await catalog.readBars(period(NEW_YEAR, NEW_YEAR + 60 * MINUTE))
  expect([...read.close]).toEqual([10, 20, 31, 40])
})

test('[MON-41] the span of an instrument counts its bars, those of the running market once', async () => {
  const { catalog } = await aCatalog()
  expect(await catalog.spanOf(BTC)).toBeNull()
  await catalog.writeBars(minutes(NEW_YEAR, [5, 6, 7]))
  // Two minutes later: the server was down.
  const later = NEW_YEAR + 5 * MINUTE
  catalog.record([
    { instrument: BTC, start: instantFromMs(later), open: 8, high: 9, low: 7, close: 8, volume: 7 },
  ])
  const span = { from: NEW_YEAR, to: later, bars: 4 }
  expect(await catalog.spanOf(BTC)).toEqual(span)
  await catalog.settle()
  expect(await catalog.spanOf(BTC)).toEqual(span)
})

test('the list says what is there', async () => {
  const { catalog } = await aCatalog()
  expect(await catalog.list()).toEqual([])
  await catalog.writeBars(minutes(NEW_YEAR - MINUTE, [10, 20, 30]))
  expect(await catalog.list()).toEqual([
    { instrument: 'BTCUSDT', interval: '1m', from: NEW_YEAR - MINUTE, to: NEW_YEAR + MINUTE, rows: 3 },
  ])
})

test('any reader finds decimal prices and volumes at UTC times in the file', async () => {
  const { catalog, folder } = await aCatalog()
  await catalog.writeBars(minutes(NEW_YEAR, [6_000_012]))
  const db = await DuckDBInstance.create(':memory:')
  const connection = await db.connect()
  const file = join(folder, 'bars', 'BTCUSDT', '1m', '2026-01.parquet')
  const read = await connection.runAndReadAll(
    `SELECT epoch_ms(time)::VARCHAR AS time, close::VARCHAR AS close, volume::VARCHAR AS volume, typeof(close) AS type
     FROM '${file}'`,
  )
  expect(read.getRowObjects()).toEqual([
    { time: String(NEW_YEAR), close: '60000.12000000', volume: '0.00007000', type: 'DECIMAL(18,8)' },
  ])
})

test('what a broken write left behind is not read, and the next write is whole', async () => {
  const { catalog, folder } = await aCatalog()
  await catalog.writeBars(minutes(NEW_YEAR, [10]))
  writeFileSync(join(folder, 'bars', 'BTCUSDT', '1m', '2026-01.parquet.new'), 'half a file')
  await catalog.writeBars(minutes(NEW_YEAR + MINUTE, [20]))
  expect((await catalog.list())[0]?.rows).toBe(2)
})

test('[MKT-110] a read whose file was replaced meanwhile is made again, any other failure is reported', async () => {
  const folder = temporaryFolder()
  const duck = await openDuck({ folder })
  onTestFinished(() => duck.close())
  const files = createBarFiles(folder, async () => duck, instruments)
  await files.write(minutes(NEW_YEAR, [5]))
  const query = vi.spyOn(duck.connection, 'run')
  query.mockImplementationOnce(async () => {
    await files.write(minutes(NEW_YEAR, [6]))
    throw new Error('Invalid data')
  })
  expect([...(await files.read(period(NEW_YEAR, NEW_YEAR + MINUTE))).close]).toEqual([6])
  query.mockRejectedValueOnce(new Error('Invalid data'))
  await expect(files.read(period(NEW_YEAR, NEW_YEAR + MINUTE))).rejects.toThrow('Invalid data')
})

test('[MKT-110] rows are appended on a connection that no query uses', async () => {
  const duck = await openDuck({ folder: temporaryFolder() })
  onTestFinished(() => duck.close())
  await duck.withWriter(async (writer) => {
    await writer.run('CREATE TEMP TABLE fresh (start DOUBLE)')
    // Temporary tables belong to their connection.
    await expect(duck.connection.run('SELECT * FROM fresh')).rejects.toThrow('fresh does not exist')
  })
})

test('DuckDB reaches nothing outside the catalog, and nothing can be unlocked', async () => {
  const outside = join(temporaryFolder({ 'secret.csv': 'a\n1\n' }), 'secret.csv')
  const duck = await openDuck({ folder: temporaryFolder() })
  onTestFinished(() => duck.close())
  await expect(duck.connection.run(`SELECT * FROM read_csv('${outside}')`)).rejects.toThrow(
    'Permission Error',
  )
  await expect(duck.connection.run(`COPY (SELECT 1) TO '${outside}'`)).rejects.toThrow('Permission Error')
  await expect(duck.connection.run('SET enable_external_access = true')).rejects.toThrow('Cannot')
  await expect(duck.connection.run(`INSTALL httpfs`)).rejects.toThrow('Permission Error')
})
