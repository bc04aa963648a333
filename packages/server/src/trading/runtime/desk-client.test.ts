import { mkdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import {
  type Event,
  encodeEntry,
  type IdempotencyKey,
  idFrom,
  NO_SEQ,
  type OrderId,
  type PlaceOrder,
  type VenueId,
} from '@binnacle/engine'
import { anEntry, anOrder } from '@binnacle/engine/testkit'
import { until } from '@binnacle/stores/testkit'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { type DeskClient, startDeskClient } from './desk-client.ts'
import { describeStartFailure, openEmbeddedDesk, pathsIn } from './embedded-desk.ts'
import { startEngineThread } from './engine-thread.ts'

async function aHost(paths = deskPaths(), now?: () => number) {
  const workers: Worker[] = []
  const host = await startDeskClient({
    paths,
    seed: 1,
    logger: silentLog,
    startWorker: (options) => {
      const worker = startEngineThread(options)
      workers.push(worker)
      return worker
    },
    ...(now && { now }),
  })
  onTestFinished(() => host.close())
  return { host, workers, paths }
}

/** Far below any market, so that it works until it is cancelled. */
const farOrder = (given: Partial<PlaceOrder> = {}) =>
  anOrder({ orderType: 'LIMIT', price: 100, quantity: 0.001, ...given })

const key = (text: string) => idFrom<IdempotencyKey>(text)

function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('a desk in its own thread', () => {
  test('is open when it is started, and the rows show an order when it is answered', async () => {
    const { host } = await aHost()
    expect(host.views.haltReason).toBeNull()
    expect(host.views.risk().limits.maxOrderSize).toBe(10_000)
    const outcome = await host.submit(farOrder(), { by: 'ann', requestId: 'r-1' })
    expect(outcome).toMatchObject({ ok: true, orderId: 'O-1', revision: 2 })
    expect(host.views.order(idFrom<OrderId>('O-1'))).toMatchObject({ status: 'PENDING', price: 100 })
  })

  test('answers commands given together each with its own outcome and revision', async () => {
    const { host } = await aHost()
    const outcomes = await Promise.all([
      host.submit(farOrder()),
      host.submit(farOrder({ quantity: 0 })),
      host.submit(farOrder({ price: 101 })),
    ])
    expect(outcomes).toMatchObject([
      { ok: true, orderId: 'O-1', revision: 2 },
      { ok: false, reason: { code: 'quantity.zero' } },
      { ok: true, orderId: 'O-2', revision: 3 },
    ])
  })

  test('has a market that fills orders and moves the result of a position', async () => {
    const { host } = await aHost()
    await host.submit(anOrder({ quantity: 0.01 }))
    await until(() => expect(host.views.positions()).toMatchObject([{ quantity: 0.01, side: 'LONG' }]))
    const before = host.views.positions()[0]?.currentPrice
    await until(() => expect(host.views.positions()[0]?.currentPrice).not.toBe(before))
  })

  test('hands on its entries from any of them, and goes on as they come', async () => {
    const { host } = await aHost()
    const followed: string[] = []
    const following = (async () => {
      for await (const { events } of host.entriesAfter(NO_SEQ)) {
        followed.push(...events.map(({ type }) => type))
        if (followed.includes('LimitsChanged')) return
      }
    })()
    await host.submit(farOrder())
    const limits = { maxOrderSize: 1, maxPositionSize: 2, maxDailyLoss: 3, maxPositions: 4 }
    await host.submit({ type: 'ChangeLimits', limits })
    await following
    expect(followed[0]).toBe('DeskOpened')
    expect(followed).toContain('OrderSubmitted')
  })
})

test('[ENGINE-305] has a thread for the checkpoints of its files, which ends with it', async () => {
  const threads: Worker[] = []
  const add = (thread: Worker) => threads.push(thread)
  process.on('worker', add)
  onTestFinished(() => void process.off('worker', add))
  const { host } = await aHost()
  const [checkpoints] = threads.filter(({ threadName }) => threadName === 'checkpoints')
  expect(checkpoints).toBeDefined()
  await host.close()
  expect(checkpoints?.threadId).toBe(-1)
})

describe('a start on a folder that was used before', () => {
  test('[CALL-33] finds everything there, after a proper end', async () => {
    const named = { name: 'Trend', description: '', strategyType: 'momentum', config: {} }
    const aStrategy = { type: 'AddStrategy', ...named, key: key('one') } as const
    const first = await aHost()
    await first.host.submit(farOrder({ key: key('one') }))
    await first.host.submit(anOrder({ quantity: 100 }))
    await first.host.submit(aStrategy)
    await first.host.submit({ type: 'ChangeTradingState', to: 'REDUCING', note: 'the end' })
    await first.host.close()
    // What the venue said until the end counts as well.
    const before = durableState(first.host)

    const { host } = await aHost(first.paths)
    expect(durableState(host)).toEqual(before)
    expect(await host.submit(farOrder({ key: key('one') }))).toMatchObject({ orderId: 'O-1', repeats: 2 })
    expect(await host.submit(aStrategy)).toMatchObject({ strategy: 'S-1', repeats: expect.any(Number) })
    expect(host.views.strategies()).toHaveLength(1)
  })

  test.each([
    ['altered', `UPDATE entries SET text = replace(text, 'O-1', 'O-7') WHERE seq = 2`, 'entry 2 was altered'],
    ['removed', 'DELETE FROM entries WHERE seq = 2', 'Journal gap: expected entry 2, found 3.'],
  ])('is refused with the name of an entry that was %s', async (_, sql, words) => {
    const { host, paths } = await aHost()
    await host.submit(farOrder())
    await host.submit(farOrder())
    await host.close()
    tamper(paths.journalFile, sql)
    const folder = {
      at: (name: string) => paths.journalFile.replace('journal.sqlite', name),
      release: () => {},
    }
    await expect(openEmbeddedDesk({ paths: pathsIn(folder), logger: silentLog })).rejects.toMatchObject({
      name: 'StartRefusal',
      message: expect.stringContaining(words),
    })
  })

  test('[ENGINE-90] an order history that cannot be opened is named, and the journal is not blamed', async () => {
    const paths = deskPaths()
    mkdirSync(paths.ordersFile)
    const refused = openEmbeddedDesk({ paths, logger: silentLog })
    await expect(refused).rejects.toMatchObject({
      name: 'StartRefusal',
      message: expect.stringContaining(`The order history ${paths.ordersFile} cannot be opened:`),
    })
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('journal.sqlite') })
  })

  test.each([
    ['journal.gap', 'The trading journal /data/journal.sqlite cannot be used: it broke.'],
    ['snapshot.damaged', 'The trading journal /data/journal.sqlite cannot be used: it broke.'],
    ['ERR_SQLITE_ERROR', 'The trading journal /data/journal.sqlite cannot be used: it broke.'],
    ['ERR_WORKER_OUT_OF_MEMORY', 'The engine did not start: it broke.'],
    [undefined, 'The engine did not start: it broke.'],
  ])('[ENGINE-90] a failure of the engine thread with the code %s says what failed', (code, words) => {
    const paths = pathsIn({ at: (...names) => ['/data', ...names].join('/') })
    const fault = Object.assign(new Error('it broke'), code === undefined ? {} : { code })
    expect(describeStartFailure(fault, paths).message).toContain(words)
  })

  test('fills the list of finished orders from the journal when its file is gone', async () => {
    const first = await aHost()
    await first.host.submit(anOrder({ quantity: 100 }))
    await first.host.close()
    rmSync(first.paths.ordersFile)
    const { host } = await aHost(first.paths)
    expect(host.orderHistory.find(idFrom<OrderId>('O-1'))).toMatchObject({ id: 'O-1', status: 'REJECTED' })
  })
})

test('[ENGINE-301] a preview or a test of a connection that fails is answered, and the engine goes on', async () => {
  const { host, workers } = await aHost()
  // Neither passes the checks of the API.
  const [noOrder, nowhere] = [null as unknown as PlaceOrder, 'NOWHERE' as VenueId]
  await expect(host.preview(noOrder)).rejects.toThrow()
  await expect(host.adapters.test(nowhere)).rejects.toThrow('no venue')
  expect(await host.submit(farOrder())).toMatchObject({ ok: true })
  expect(workers).toHaveLength(1)
})

test('[ORD-400] a fill that is not counted is in the log, and other disregarded reports are not', async () => {
  const lines: { event: string }[] = []
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const workers: Worker[] = []
  const host = await startDeskClient({
    paths: deskPaths(),
    seed: 1,
    logger,
    startWorker: (options) => {
      const worker = startEngineThread(options)
      workers.push(worker)
      return worker
    },
  })
  onTestFinished(() => host.close())
  const orderId = idFrom<OrderId>('O-7')
  const why = 'the order is CANCELLED'
  const events: Event[] = ['accepted', 'filled'].map((report) => ({
    type: 'ReportDisregarded',
    orderId,
    report,
    why,
  }))
  const { seq, at, version } = anEntry(host.views.revision + 1)
  const entry = { seq, at, version, by: null, requestId: null, events }
  workers[0]?.emit('message', { kind: 'committed', entries: encodeEntry(entry), answers: '[]' })
  expect(lines.filter(({ event }) => event === 'order.fill-disregarded')).toMatchObject([
    { level: 40, message: 'A fill of order O-7 was not counted: the order is CANCELLED.' },
  ])
})

describe('a listener that throws', () => {
  test('[ENGINE-300] is reported once, and the other listeners and all answers are served', async () => {
    const lines: { event: string; err: { message: string } }[] = []
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
    const host = await startDeskClient({ paths: deskPaths(), seed: 1, logger })
    onTestFinished(() => host.close())
    let [seen, steps] = [0, 0]
    host.onChange(() => {
      throw new Error('no socket')
    })
    host.onChange(({ kind }) => {
      if (kind === 'views') seen += 1
    })
    host.onTrades(() => {
      throw new Error('no recorder')
    })
    host.onTrades(() => {
      steps += 1
    })
    expect(await host.submit(farOrder())).toMatchObject({ ok: true })
    expect(await host.submit(farOrder())).toMatchObject({ ok: true })
    await until(() => expect([seen >= 2, steps >= 2]).toEqual([true, true]))
    const failures = lines.filter(({ event }) => event === 'desk.listener-failed')
    expect(failures.map(({ err }) => err.message).toSorted()).toEqual(['no recorder', 'no socket'])
  })
})

describe('an engine thread that dies', () => {
  test('leaves commands in flight unknown, and is started again from the journal', async () => {
    const { host, workers } = await aHost()
    await host.submit(farOrder())
    // Terminated first; otherwise the thread could answer before it ends.
    const ended = workers[0]?.terminate()
    const inFlight = host.submit(farOrder({ key: key('two') }))
    inFlight.catch(() => {})
    await ended
    await expect(inFlight).rejects.toMatchObject({
      code: 'command.outcome-unknown',
      message: 'unknown: retry with the same key',
    })
    expect(host.views.haltReason).toBe('the engine is starting again from its journal')
    expect(await host.submit(farOrder())).toMatchObject({ ok: false, reason: { code: 'desk.halted' } })

    await until(() => expect(host.views.haltReason).toBeNull())
    await host.submit(farOrder({ key: key('two') }))
    expect(host.views.orders().map(({ id }) => id)).toEqual(['O-2', 'O-1'])
    expect(workers).toHaveLength(2)
  })

  test('[ENGINE-302] waits longer before each restart until one has run for a minute', async () => {
    let nowMs = 0
    const scheduled = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => scheduled.mockRestore())
    const { host, workers } = await aHost(deskPaths(), () => nowMs)
    for (const lifeMs of [10, 10, 60_000, 10]) {
      nowMs += lifeMs
      await workers.at(-1)?.terminate()
      await until(() => expect(host.views.haltReason).toBeNull())
    }
    const delays = scheduled.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 0 || Number(ms) >= 500)
    expect(delays.filter((ms) => ms === 0 || ms === 500 || ms === 2000)).toEqual([0, 500, 0, 500])
  })

  test('[ENGINE-302] a thread that cannot be created is tried again', async () => {
    let fails = 2
    const workers: Worker[] = []
    const host = await startDeskClient({
      paths: deskPaths(),
      seed: 1,
      logger: silentLog,
      startWorker: (options) => {
        if (workers.length === 1 && fails-- > 0) throw new Error('not enough memory')
        const worker = startEngineThread(options)
        workers.push(worker)
        return worker
      },
    })
    onTestFinished(() => host.close())
    await workers[0]?.terminate()
    await until(() => expect(host.views.haltReason).toBeNull())
    expect(workers).toHaveLength(2)
  })

  test('takes nothing along that was answered, however often it dies', async () => {
    const { host, workers } = await aHost()
    for (let round = 1; round <= 3; round++) {
      await host.submit(farOrder())
      await workers.at(-1)?.terminate()
      await until(() => expect(host.views.haltReason).toBeNull())
    }
    expect(host.views.orders().map(({ id }) => id)).toEqual(['O-3', 'O-2', 'O-1'])
  })

  test('is not started again once the desk is closed', async () => {
    const { host, workers } = await aHost()
    await workers[0]?.terminate()
    await host.close()
    expect(workers).toHaveLength(1)
  })
})

function durableState({ views }: DeskClient) {
  const { limits, tradingState, tradingStateReason } = views.risk()
  return { orders: views.orders(), risk: { limits, tradingState, tradingStateReason } }
}
