import { cpSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSimulatedVenue, type IdempotencyKey, idFrom, standardInstruments } from '@binnacle/engine'
import { anOpenDesk, anOrder, aQuote, createManualClock } from '@binnacle/engine/testkit'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addOrderHistoryCheckRoutes } from '#trading/order-history-check.routes.ts'
import { checkHistory } from './check-history.ts'
import type { DeskPaths } from './desk-protocol.ts'
import { startHistoryCheck } from './history-check.ts'
import { openPersistentDesk } from './persistent-desk.ts'

const instruments = standardInstruments()
const check = (paths: DeskPaths) => checkHistory(paths, { isHurried: true })

/** A desk with archived entries, denied and filled orders, two closed positions, keys and a working order. */
async function aTradedDesk(paths = deskPaths()) {
  const venue = createSimulatedVenue({ instruments })
  const clock = createManualClock()
  const opened = await openPersistentDesk({ paths, instruments, clock, venue, snapshotEvery: 10 })
  const { desk, maintenance, projection } = opened
  await desk.submit(anOpenDesk())
  desk.accept(aQuote(instruments))
  const keyed = (name: string) => ({ key: idFrom<IdempotencyKey>(name) })
  for (let count = 0; count < 2; count++) {
    await desk.submit(anOrder({ quantity: 0.1, ...keyed(`buy-${count}`) }))
    await desk.idle()
    await desk.submit(anOrder({ side: 'SELL', quantity: 0.1 }))
    await desk.idle()
  }
  for (let count = 0; count < 30; count++) {
    await desk.submit(anOrder({ quantity: 100 }))
    await maintenance.idle()
  }
  await desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.01, ...keyed('resting') }))
  await desk.idle()
  projection.flush()
  return { ...opened, paths }
}

/** A copy of one such desk's files, closed. */
async function aTradedFolder(): Promise<DeskPaths> {
  template ??= aTradedDesk(deskPaths(templateFolder)).then(async ({ close, paths }) => {
    await close()
    return dirname(paths.ordersFile)
  })
  const paths = deskPaths()
  cpSync(await template, dirname(paths.ordersFile), { recursive: true })
  return paths
}

const templateFolder = temporaryFolder({}, afterAllTests())
let template: Promise<string> | undefined

function edit({ ordersFile }: DeskPaths, sql: string): void {
  const database = new DatabaseSync(ordersFile)
  database.exec(sql)
  database.close()
}

function rowsOf({ ordersFile }: DeskPaths) {
  const database = new DatabaseSync(ordersFile, { readOnly: true })
  const read = (table: string) => database.prepare(`SELECT * FROM ${table}`).all()
  const rows = {
    orders: read('orders'),
    keys: read('order_keys'),
    fills: read('fills'),
    closed: read('closed_positions'),
    decisions: read('decisions'),
    funding: read('funding'),
  }
  database.close()
  return rows
}

test('[CALL-67] a history that is as the journal says has no differences', async () => {
  const paths = await aTradedFolder()
  const before = rowsOf(paths)
  expect(await check(paths)).toEqual({
    orders: 34,
    fills: 4,
    closedPositions: 2,
    keys: 3,
    differences: 0,
    seq: 41,
  })
  expect(rowsOf(paths)).toEqual(before)
})

test.each([
  [
    'a changed digit',
    `UPDATE orders SET text = replace(text, '"filled":0.1', '"filled":0.2') WHERE number = 1`,
    1,
  ],
  ['a changed status', `UPDATE orders SET status = 'CANCELLED' WHERE number = 2`, 1],
  ['a changed instrument', `UPDATE orders SET instrument = 'ETHUSDT' WHERE number = 2`, 1],
  ['a changed strategy', `UPDATE orders SET strategy = 'S-1' WHERE number = 2`, 1],
  ['removed orders', 'DELETE FROM orders WHERE number IN (3, 20, 34)', 3],
  [
    'orders that never were',
    `INSERT INTO orders SELECT number + 1000, status, instrument, strategy, text FROM orders WHERE number < 3`,
    2,
  ],
  [
    'a finished row of a working order',
    `INSERT INTO orders SELECT 35, status, instrument, strategy, text FROM orders WHERE number = 1`,
    1,
  ],
  ['a changed fee', `UPDATE fills SET text = replace(text, '"fee":', '"fee":1') WHERE id = 2`, 1],
  ['a removed fill in between', 'DELETE FROM fills WHERE id = 2', 1],
  ['a fill that never was', 'INSERT INTO fills SELECT 99, number, seq, text FROM fills WHERE id = 1', 1],
  ['a removed closed position', 'DELETE FROM closed_positions WHERE id = 2', 1],
  ['a changed decision price', 'UPDATE decisions SET mid = mid + 1 WHERE number = 1', 1],
  ['a removed decision price', 'DELETE FROM decisions WHERE number = 2', 1],
  ['a decision price that never was', 'INSERT INTO decisions VALUES (999, 1.5)', 1],
  ['funding that never was', `INSERT INTO funding VALUES (1, 3, '{}')`, 1],
  ['a removed key', `DELETE FROM order_keys WHERE key = 'buy-1'`, 1],
  ['a key of another order', `UPDATE order_keys SET number = 5 WHERE key = 'resting'`, 1],
  [
    'a key that never was',
    `INSERT INTO order_keys SELECT 'new', number, seq, terms FROM order_keys WHERE key = 'buy-0'`,
    1,
  ],
  [
    'an empty history',
    'DELETE FROM orders; DELETE FROM fills; DELETE FROM closed_positions; DELETE FROM order_keys',
    43,
  ],
])('[CALL-67] %s is found and put right', async (_, sql, differences) => {
  const paths = await aTradedFolder()
  const before = rowsOf(paths)
  edit(paths, sql)
  expect(rowsOf(paths)).not.toEqual(before)
  expect(await check(paths)).toMatchObject({ differences })
  expect(rowsOf(paths)).toEqual(before)
})

test('[CALL-67] orders that are placed and filled meanwhile are no differences', async () => {
  const { paths, desk, projection } = await aTradedDesk()
  const checking = check(paths)
  for (let count = 0; count < 20; count++) {
    await desk.submit(anOrder({ quantity: 0.001, key: idFrom<IdempotencyKey>(`meanwhile-${count}`) }))
    projection.flush()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await checking).toMatchObject({ differences: 0 })
  await desk.idle()
  projection.flush()
  expect(await check(paths)).toMatchObject({ differences: 0, orders: 54, keys: 23 })
})

test('[CALL-68] the result of the last check is in the API, and a check can be asked for', async () => {
  const paths = await aTradedFolder()
  edit(paths, 'DELETE FROM orders WHERE number = 3')
  const historyCheck = startHistoryCheck({ paths, logger: silentLog })
  onTestFinished(() => historyCheck.close())
  const app = createHttpApp({ logger: silentLog })
  addOrderHistoryCheckRoutes(app, historyCheck)
  const get = async (url: string) => (await app.inject(url)).json()
  expect(await get('/api/order-history/check')).toMatchObject({ state: 'unchecked', checked_at: null })
  const repaired = await get('/api/order-history/verify')
  expect(repaired).toMatchObject({ state: 'repaired', differences: 1, orders: 34, is_running: false })
  expect(await get('/api/order-history/check')).toEqual(repaired)
  expect(await get('/api/order-history/verify')).toMatchObject({ state: 'intact', differences: 0 })
  const journal = new DatabaseSync(paths.journalFile)
  journal.exec('DELETE FROM entries WHERE seq = (SELECT max(seq) - 1 FROM entries)')
  journal.close()
  expect(await get('/api/order-history/verify')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('Journal gap: expected entry'),
  })
})
