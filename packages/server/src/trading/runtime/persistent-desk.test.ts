import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import {
  createInstruments,
  createSimulatedVenue,
  type IdempotencyKey,
  idFrom,
  type Latency,
  NO_SEQ,
  type OrderId,
  standardInstruments,
} from '@binnacle/engine'
import { anOpenDesk, anOrder, aQuote, createLab, createManualClock } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openJournalStore } from '#storage/journal/journal-store.ts'
import { openOrderHistory, openOrderHistoryReader } from '#storage/orders/order-history.ts'
import { allOf } from '#testkit/all-of.ts'
import { deskPaths } from '#testkit/desk-paths.ts'
import type { DeskPaths } from './desk-protocol.ts'
import { openPersistentDesk } from './persistent-desk.ts'

const instruments = standardInstruments()

/** The desk as its thread has it, in this thread and with a market of the test's own. */
async function openTestDesk(
  paths: DeskPaths = deskPaths(),
  snapshotEvery = 10,
  latency?: Latency,
  isBusy?: () => boolean,
) {
  const notes: string[] = []
  const clock = createManualClock()
  const opened = await openPersistentDesk({
    paths,
    instruments,
    clock,
    venue: createSimulatedVenue({ instruments, ...(latency && { latency }) }),
    onWarning: (event, message) => notes.push(`${event}: ${message}`),
    snapshotEvery,
    ...(isBusy && { isBusy }),
  })
  const journal = openJournalStore({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  const history = openOrderHistoryReader(paths.ordersFile)
  onTestFinished(() => {
    history.close()
    journal.close()
  })
  return { ...opened, clock, paths, journal, history, notes }
}

async function anOpenKeptDesk(everyEntries?: number) {
  const opened = await openTestDesk(deskPaths(), everyEntries)
  await opened.desk.submit(anOpenDesk())
  opened.desk.accept(aQuote(instruments))
  await opened.desk.idle()
  return opened
}

test('a snapshot is taken after so many entries, also when they come of the market', async () => {
  const { desk, journal, maintenance, notes } = await anOpenKeptDesk(12)
  for (let count = 0; count < 4; count++) {
    await desk.submit(anOrder({ orderType: 'LIMIT', price: 49_000, quantity: 0.01 }))
  }
  await desk.idle()
  const before = desk.seq
  expect(before).toBeLessThan(12)
  expect(journal.snapshotSeqs()).toEqual([])
  // One quote fills all four, and no command follows.
  desk.accept(aQuote(instruments, { bid: 48_000 }))
  await desk.idle()
  await maintenance.stop()
  expect(journal.snapshotSeqs()).toEqual([desk.seq])
  expect(desk.seq).toBe(before + 4)
  expect(notes).toEqual([])
})

test('entries older than the snapshot before the last are archived, and all can still be read', async () => {
  const { desk, journal, maintenance, paths } = await anOpenKeptDesk(10)
  for (let count = 0; count < 30; count++) {
    await desk.submit(anOrder({ quantity: 100 }))
    await desk.idle()
    await maintenance.idle()
  }
  await maintenance.stop()
  expect(journal.snapshotSeqs()).toEqual([31, 30])
  expect(journal.base().seq).toBe(20)
  expect(readdirSync(paths.archiveFolder)).toEqual(['1-10.jsonl.gz', '11-20.jsonl.gz'])
  const seqs = (await allOf(journal.entriesAfter(NO_SEQ))).map(({ seq }) => Number(seq))
  expect(seqs).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
})

test('what an end left no time for is archived by the next start', async () => {
  const first = await anOpenKeptDesk(1000)
  for (const orders of [11, 1]) {
    for (let count = 0; count < orders; count++) await first.desk.submit(anOrder({ quantity: 100 }))
    await first.maintenance.stop()
  }
  expect(first.journal.snapshotSeqs()).toEqual([13, 12])
  expect(first.journal.base().seq).toBe(0)
  const second = await openTestDesk(first.paths, 10)
  await second.maintenance.idle()
  expect(second.journal.base().seq).toBe(12)
})

test('a few entries are not archived: they are not worth a file', async () => {
  const { desk, journal, maintenance, paths } = await anOpenKeptDesk(1000)
  for (let end = 0; end < 3; end++) {
    await desk.submit(anOrder({ quantity: 100 }))
    await maintenance.stop()
  }
  const second = await openTestDesk(paths, 10)
  await second.maintenance.idle()
  expect(journal.base().seq).toBe(0)
})

test('the end takes a snapshot, so that the next start has nothing to fold', async () => {
  const { desk, journal, maintenance } = await anOpenKeptDesk(1000)
  await maintenance.stop()
  expect(journal.snapshotSeqs()).toEqual([desk.seq])
})

test('more finished orders than the views remember are all in the history', async () => {
  const { desk, history, projection } = await anOpenKeptDesk(100_000)
  const denied = Array.from({ length: 1_200 }, () => desk.submit(anOrder({ quantity: 100 })))
  await Promise.all(denied)
  await desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000 }))
  await desk.idle()
  projection.flush()
  expect(desk.readViews().order(idFrom<OrderId>('O-1'))).toBeNull()
  expect(history.find(idFrom<OrderId>('O-1'))).toMatchObject({ status: 'REJECTED' })
  const page = history.page({ before: 2_000, limit: 2_000 })
  expect(page.map(({ number }) => number)).toEqual(Array.from({ length: 1_200 }, (_, index) => 1_200 - index))
})

test('a batch of them is written after the commands are answered', async () => {
  const { desk, history } = await anOpenKeptDesk(100_000)
  const all = { before: 1_000, limit: 1_000 }
  await Promise.all(Array.from({ length: 300 }, () => desk.submit(anOrder({ quantity: 100 }))))
  expect(history.page(all)).toHaveLength(0)
  await setImmediate()
  expect(history.page(all)).toHaveLength(300)
})

test('all of them are, when more orders than the views remember finish at one time', async () => {
  const paths = deskPaths()
  const latency = { outboundMs: () => 100, inboundMs: () => 100 }
  const { desk, clock, history, projection } = await openTestDesk(paths, 100_000, latency)
  await desk.submit(anOpenDesk({ cash: 10_000_000 }))
  await desk.idle()
  clock.advance(200)
  const resting = anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.0001 })
  await Promise.all(Array.from({ length: 1_200 }, () => desk.submit(resting)))
  await desk.submit({ type: 'DisconnectVenue', venue: 'BINANCE' })
  for (let count = 0; count < 3; count++) {
    clock.advance(200)
    desk.accept({ kind: 'timer', at: clock.now() })
  }
  await desk.idle()
  projection.flush()
  expect(history.page({ before: 2_000, status: 'CANCELLED', limit: 2_000 })).toHaveLength(1_200)
})

test('a start finds what finished after the last snapshot and was not written yet', async () => {
  const first = await anOpenKeptDesk(1000)
  await first.maintenance.stop()
  await first.desk.submit(anOrder({ quantity: 100 }))
  const second = await openTestDesk(first.paths)
  second.projection.flush()
  expect(second.history.find(idFrom<OrderId>('O-1'))).toMatchObject({ status: 'REJECTED' })
})

test('a start after which nothing happens leaves the history where it stood', async () => {
  const first = await anOpenKeptDesk(1000)
  await first.desk.submit(anOrder({ quantity: 100 }))
  await first.close()
  const second = await openTestDesk(first.paths)
  second.projection.flush(true)
  await second.close()
  const history = openOrderHistory(first.paths.ordersFile)
  onTestFinished(() => history.close())
  expect(history.position().seq).toBe(first.desk.seq)
})

test('[ORD-36] a key that hard state no longer has is known, after a restart too, and compared with the first order', async () => {
  const { desk, close, paths } = await anOpenKeptDesk(100_000)
  const keyed = anOrder({ quantity: 100, key: idFrom<IdempotencyKey>('key') })
  await desk.submit(keyed)
  await close()
  forgetKeys(paths)
  const second = await openTestDesk(paths)
  expect(second.desk.readViews().orderOfKey(idFrom<IdempotencyKey>('key'))).toBeNull()
  const repeated = { ok: true, orderId: 'O-1', repeats: 2, revision: null }
  expect(await second.desk.submit(keyed)).toEqual(repeated)
  const used = { ok: false, reason: { code: 'key.used', by: 'O-1' } }
  expect(await second.desk.submit({ ...keyed, quantity: 99 })).toEqual(used)
  expect(second.desk.readViews().orders()).toHaveLength(1)
})

/** As 10,000 newer keys do: hard state has only the latest. */
function forgetKeys({ journalFile }: DeskPaths): void {
  const journal = new DatabaseSync(journalFile)
  for (const { seq, text } of journal.prepare('SELECT seq, text FROM snapshots').all()) {
    const without = JSON.stringify({ ...JSON.parse(String(text)), keys: [] })
    journal
      .prepare('UPDATE snapshots SET text = ?, checksum = ? WHERE seq = ?')
      .run(without, crc32(without), Number(seq))
  }
  journal.close()
}

test('[ORD-36] a history of a version without keys is rebuilt with them', async () => {
  const key = idFrom<IdempotencyKey>('old')
  const { desk, close, paths } = await anOpenKeptDesk()
  for (let count = 0; count < 30; count++)
    await desk.submit(anOrder({ quantity: 100, ...(count === 0 && { key }) }))
  await close()
  const older = new DatabaseSync(paths.ordersFile)
  older.exec('DROP TABLE order_keys; PRAGMA user_version = 0')
  older.close()
  const { history } = await openTestDesk(paths)
  expect(history.findKey(key)).toMatchObject({ orderId: 'O-1', seq: 2 })
  expect(history.page({ before: 100, limit: 100 })).toHaveLength(30)
})

test('[PERF-18] a history without decision prices and funding is rebuilt with them', async () => {
  const { desk, projection, close, paths } = await anOpenKeptDesk(1000)
  await desk.submit(anOrder({ quantity: 0.1 }))
  await desk.idle()
  projection.flush()
  const decisionsOf = () => {
    const database = new DatabaseSync(paths.ordersFile)
    const rows = database.prepare('SELECT number, mid FROM decisions').all()
    database.close()
    return rows
  }
  const before = decisionsOf()
  expect(before).toEqual([{ number: 1, mid: expect.any(Number) }])
  await close()
  const older = new DatabaseSync(paths.ordersFile)
  older.exec('DROP TABLE decisions; DROP TABLE funding; PRAGMA user_version = 2')
  older.close()
  const { projection: rebuilt } = await openTestDesk(paths)
  rebuilt.flush()
  expect(decisionsOf()).toEqual(before)
})

test('[ORD-220] a history of a version that read instrument and strategy from the text is rebuilt, and its mark still detects a truncated journal', async () => {
  const { desk, close, paths } = await anOpenKeptDesk(1000)
  for (let count = 0; count < 3; count++) await desk.submit(anOrder({ quantity: 100 }))
  await close()
  const older = new DatabaseSync(paths.ordersFile)
  older.exec(`
    CREATE TABLE older (number INTEGER PRIMARY KEY, status TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    INSERT INTO older SELECT number, status, text FROM orders;
    DROP TABLE orders;
    ALTER TABLE older RENAME TO orders;
    CREATE INDEX orders_by_instrument ON orders (json_extract(text, '$.instrument'), status, number);
    PRAGMA user_version = 3`)
  older.close()
  const second = await openTestDesk(paths)
  const { instrument } = anOrder()
  expect(second.history.page({ before: 100, limit: 100, instrument })).toHaveLength(3)
  expect(second.history.page({ before: 100, limit: 100, instrument: 'OTHER' })).toEqual([])
  await second.close()
  const marked = new DatabaseSync(paths.ordersFile)
  marked.exec('PRAGMA user_version = 3; UPDATE mark SET seq = seq + 1')
  marked.close()
  await expect(openTestDesk(paths)).rejects.toThrow('the order history knows entry')
})

test('[ORD-221] while commands wait the history is not written, until so many rows wait', async () => {
  let isBusy = true
  const { desk, history } = await openTestDesk(deskPaths(), 10_000, undefined, () => isBusy)
  await desk.submit(anOpenDesk())
  desk.accept(aQuote(instruments))
  const refuse = (count: number) =>
    Promise.all(Array.from({ length: count }, () => desk.submit(anOrder({ quantity: 100 }))))
  const countRows = () => history.page({ before: 1_000, limit: 1_000 }).length
  await refuse(399)
  await setImmediate()
  expect(countRows()).toBe(0)
  await refuse(1)
  expect(countRows()).toBe(400)
  await refuse(399)
  expect(countRows()).toBe(400)
  isBusy = false
  await expect.poll(countRows).toBe(799)
})

test('[ORD-40] an order whose key cannot be looked up is not placed', async () => {
  const { desk, paths } = await anOpenKeptDesk(1000)
  const broken = new DatabaseSync(paths.ordersFile)
  broken.exec('DROP TABLE order_keys')
  broken.close()
  const keyed = anOrder({ quantity: 0.01, key: idFrom<IdempotencyKey>('k') })
  expect(await desk.submit(keyed)).toMatchObject({ ok: false, reason: { code: 'key.unverified' } })
  expect(desk.readViews().orders()).toEqual([])
  expect(await desk.submit(anOrder({ quantity: 0.01 }))).toMatchObject({ ok: true })
})

test('a history of another journal is rebuilt', async () => {
  const first = await anOpenKeptDesk(1000)
  await first.desk.submit(anOrder({ quantity: 100 }))
  await first.maintenance.stop()
  const other = await anOpenKeptDesk(1000)
  for (let count = 0; count < 3; count++) {
    await other.desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 }))
  }
  await other.maintenance.stop()
  const mixed = await openTestDesk({ ...other.paths, ordersFile: first.paths.ordersFile })
  expect(mixed.history.page({ before: 100, limit: 100 })).toEqual([])
})

test('a journal whose end is lost is named, and the history stays', async () => {
  const { paths, desk, projection, close } = await anOpenKeptDesk(1000)
  await desk.submit(anOrder({ quantity: 100 }))
  projection.flush()
  await close()
  const journal = new DatabaseSync(paths.journalFile)
  journal.exec('DELETE FROM entries WHERE seq > 1; DELETE FROM snapshots')
  journal.exec('UPDATE head SET seq = 1, chain = (SELECT chain FROM entries)')
  journal.close()
  await expect(openTestDesk(paths)).rejects.toThrow(
    'the journal is damaged: it ends at entry 1, and the order history knows entry 2. Restore journal.sqlite with its -wal file',
  )
  const history = openOrderHistoryReader(paths.ordersFile)
  onTestFinished(() => history.close())
  expect(history.find(idFrom<OrderId>('O-1'))).toMatchObject({ status: 'REJECTED' })
})

test('how far the journal goes is noted although no order has finished', async () => {
  const { desk, projection, paths } = await anOpenKeptDesk(1000)
  await desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 }))
  projection.flush()
  const history = openOrderHistory(paths.ordersFile)
  onTestFinished(() => history.close())
  expect(history.position().seq).toBe(desk.seq)
})

test('[RISK-48] a data folder of an older version with a short spot position opens, and the position can only be reduced', async () => {
  const paths = deskPaths()
  const journal = openJournalStore({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  await journal.append(entriesOfOlderVersion())
  journal.close()
  const { desk } = await openTestDesk(paths)
  desk.accept(aQuote(instruments))
  await desk.idle()
  const short = { instrument: 'BTCUSDT', side: 'SHORT', quantity: 0.1 }
  expect(desk.readViews().positions()).toMatchObject([short])
  const denied = await desk.submit(anOrder({ side: 'SELL', quantity: 0.01 }))
  await desk.submit(anOrder({ quantity: 0.06 }))
  await desk.idle()
  expect(denied.ok && denied.orderId && desk.readViews().order(denied.orderId)?.reason).toMatchObject({
    code: 'spot.short',
    held: -0.1,
  })
  expect(desk.readViews().positions()).toMatchObject([{ ...short, quantity: 0.04 }])
})

/** A version that allowed it sold spot short. */
function entriesOfOlderVersion() {
  const sellable = instruments.all.map((each) => ({ ...each, kind: 'PERPETUAL' as const }))
  const older = createLab({ instruments: createInstruments(sellable) })
  older.quote({})
  older.place({ side: 'SELL', quantity: 0.1 })
  return older.entries
}

test('[CALL-53] a desk that halted itself is HALTED after a restart, and a request to halt is accepted meanwhile', async () => {
  const { desk, paths } = await anOpenKeptDesk()
  const outside = new DatabaseSync(paths.journalFile)
  onTestFinished(() => outside.close())
  outside.exec('ALTER TABLE head RENAME TO elsewhere')
  await expect(desk.submit(anOrder({ quantity: 0.1 }))).rejects.toThrow('unknown')
  const reason = desk.haltReason
  expect(reason).toContain('no such table')
  expect(await desk.submit({ type: 'ChangeTradingState', to: 'HALTED' })).toMatchObject({ ok: true })
  expect(await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })).toMatchObject({ ok: false })
  // The first desk is not closed, as after a kill.
  outside.exec('ALTER TABLE elsewhere RENAME TO head')
  const restarted = await openTestDesk(paths)
  expect(restarted.desk.readViews().risk()).toMatchObject({
    tradingState: 'HALTED',
    tradingStateReason: { code: 'fault', message: reason },
  })
  await restarted.desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
  await restarted.close()
  const resumed = await openTestDesk(paths)
  expect(resumed.desk.readViews().risk().tradingState).toBe('ACTIVE')
})

test('[CALL-53] a desk that recorded its halt by itself is not halted again by the next start', async () => {
  const { desk, paths, close } = await anOpenKeptDesk()
  const outside = new DatabaseSync(paths.journalFile)
  onTestFinished(() => outside.close())
  outside.exec('ALTER TABLE head RENAME TO elsewhere')
  await expect(desk.submit(anOrder({ quantity: 0.1 }))).rejects.toThrow('unknown')
  outside.exec('ALTER TABLE elsewhere RENAME TO head')
  await desk.recover()
  expect(desk.readViews().risk().tradingState).toBe('HALTED')
  await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
  await close()
  expect((await openTestDesk(paths)).desk.readViews().risk().tradingState).toBe('ACTIVE')
})
