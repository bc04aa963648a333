import { describe, expect, test } from 'vitest'
import type { Journal } from '#journal/journal.ts'
import { createMemoryJournal } from '#journal/memory-journal.ts'
import { standardInstruments } from '#market/instruments.ts'
import type { Event } from '#model/event.ts'
import type { VenueReport } from '#model/input.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { anOrder, aQuote, START } from '#testkit/builders.ts'
import { aFarDesk, anOpenedDesk, pass, theOrder } from '#testkit/desks.ts'
import { type InstrumentId, idFrom, NO_SEQ, type OrderId } from '#values/ids.ts'
import { NO_MONEY } from '#values/money.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'
import type { DeliverReports, Venue, VenueRequest } from '#venue/venue.ts'
import type { DeskPorts } from './desk.ts'
import { createEngine } from './engine.ts'

const instruments = standardInstruments()
const PERP = 'BTCUSDT-PERP'

async function eventsOf(journal: Journal): Promise<Event[]> {
  const events: Event[] = []
  for await (const entry of journal.entriesAfter(NO_SEQ)) events.push(...entry.events)
  return events
}

/** An engine with a bug in what it does with the fills of one order. */
function failsOn(id: string): DeskPorts['createEngine'] {
  return (state) => {
    const engine = createEngine({ instruments, state })
    return {
      ...engine,
      process(input) {
        const isFatal =
          input.kind === 'reports' &&
          input.reports.some((report) => report.type === 'filled' && report.orderId === id)
        if (isFatal) throw new Error('a bug')
        return engine.process(input)
      },
    }
  }
}

describe('a bug', () => {
  test('halts the desk, which starts again from the journal', async () => {
    const { desk } = await anOpenedDesk()
    const nonsense = { type: 'ChangeLimits', limits: null } as never
    await expect(desk.submit(nonsense)).rejects.toThrow()
    expect(desk.haltReason).not.toBeNull()
    await desk.recover()
    expect(desk.readViews().risk().tradingState).toBe('HALTED')
  })

  test('in one report leaves the others that came with it to be taken in after the recovery', async () => {
    const { desk, clock } = await aFarDesk({ createEngine: failsOn('O-2') })
    await Promise.all([1, 2, 3].map(() => desk.submit(anOrder({ quantity: 0.01 }))))
    await pass(desk, clock)
    expect(desk.haltReason).toBe('a bug')
    expect(
      desk
        .readViews()
        .orders()
        .map(({ status }) => status),
    ).toEqual(['PENDING', 'PENDING', 'PENDING'])
    await desk.recover()
    expect(desk.haltReason).toBe('a bug')
    await desk.recover()
    expect(desk.haltReason).toBeNull()
    await desk.idle()
    const statusOf = (id: string) => theOrder(desk, id)?.status
    expect(['O-1', 'O-2', 'O-3'].map(statusOf)).toEqual(['FILLED', 'PENDING', 'FILLED'])
  })
})

describe('a recovery', () => {
  /** A venue that reports on the call of the test and records what the desk sends. */
  function aScriptedVenue() {
    const sent: VenueRequest[] = []
    let report: DeliverReports = () => {}
    const venue: Venue = {
      onReports: (deliver) => {
        report = deliver
      },
      observe: () => {},
      estimate: () => null,
      send: (message) => void sent.push(message),
    }
    return { venue, sent, report: (...reports: VenueReport[]) => report(reports, START) }
  }

  /** A journal that runs a function of the test before the next append. */
  function aJournalWithHook() {
    const memory = createMemoryJournal()
    const hook: { next: (() => void) | null } = { next: null }
    const journal: Journal = {
      ...memory,
      append: async (entries) => {
        const run = hook.next
        hook.next = null
        run?.()
        await memory.append(entries)
      },
    }
    return { journal, hook }
  }

  const filled = (id: string, fill: number): VenueReport => ({
    type: 'filled',
    orderId: idFrom<OrderId>(id),
    fill,
    quantity: quantityFromLots(1_000),
    price: priceFromTicks(5_000_000),
    liquidity: 'MAKER',
    fee: NO_MONEY,
  })

  const funding: VenueReport = {
    type: 'funding',
    instrument: idFrom<InstrumentId>(PERP),
    rateE8: 10_000,
    price: priceFromTicks(5_000_000),
  }

  function full(): never {
    throw new Error('no space left')
  }

  test('what venues report during it comes after what they reported before', async () => {
    const { venue, report } = aScriptedVenue()
    const { journal, hook } = aJournalWithHook()
    const { desk } = await anOpenedDesk({ journal, venue })
    await desk.submit(anOrder())
    hook.next = full
    report(filled('O-1', 1))
    await desk.idle()
    expect(desk.haltReason).toBe('no space left')
    hook.next = () => report(filled('O-1', 2))
    await desk.recover()
    await desk.idle()
    expect(theOrder(desk)).toMatchObject({ filled: 0.02 })
  })

  test('reports that were not written come before those that the engine failed on later', async () => {
    const { venue, report } = aScriptedVenue()
    const { journal, hook } = aJournalWithHook()
    const { desk } = await anOpenedDesk({ journal, venue, createEngine: failsOn('O-9') })
    await desk.submit(anOrder())
    hook.next = () => {
      report(filled('O-1', 2), filled('O-9', 1))
      full()
    }
    report(filled('O-1', 1))
    await desk.idle()
    await desk.recover()
    await desk.recover()
    expect(desk.haltReason).toBeNull()
    await desk.idle()
    expect(theOrder(desk)).toMatchObject({ filled: 0.02 })
  })

  test('[RISK-203] a failure after the append halts with a fault of its own, and reports in the journal are not processed again', async () => {
    const { venue, sent, report } = aScriptedVenue()
    let isBroken = true
    const onEntries = (entries: readonly JournalEntry[]) => {
      const hasFunding = entries.some(({ events }) => events.some(({ type }) => type === 'FundingPaid'))
      if (isBroken && hasFunding) throw new Error('a follower failed')
    }
    const { desk, journal } = await anOpenedDesk({ venue, onEntries })
    desk.accept(aQuote(instruments, { instrument: PERP }))
    await desk.submit(anOrder({ instrument: PERP }))
    report(filled('O-1', 1))
    await desk.idle()
    const placed = desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 }))
    report(funding)
    await expect(placed).rejects.toMatchObject({ code: 'desk.failed-after-append' })
    expect(desk.haltReason).toBe('a follower failed')
    isBroken = false
    await desk.recover()
    const types = (await eventsOf(journal)).map(({ type }) => type)
    expect(types.filter((type) => type === 'FundingPaid')).toHaveLength(1)
    const submitted = sent.flatMap((request) => (request.type === 'submit' ? request.order.orderId : []))
    expect(submitted).toContain('O-2')
  })

  test('a request that the venue port throws on is no failed append', async () => {
    const { venue } = aScriptedVenue()
    const broken: Venue = {
      ...venue,
      send: (message, at) => {
        if (message.type === 'submit') throw new Error('the port is closed')
        venue.send(message, at)
      },
    }
    const { desk, journal } = await anOpenedDesk({ venue: broken })
    await expect(desk.submit(anOrder())).rejects.toMatchObject({ code: 'desk.failed-after-append' })
    expect((await eventsOf(journal)).at(-1)).toMatchObject({ type: 'OrderSubmitted' })
  })

  test('that fails again sends venues nothing that the journal does not hold', async () => {
    const { venue, sent, report } = aScriptedVenue()
    const { desk } = await anOpenedDesk({ venue, createEngine: failsOn('O-1') })
    await desk.submit(anOrder())
    report(filled('O-1', 1), filled('O-1', 2))
    const before = sent.length
    await desk.recover()
    expect(desk.haltReason).toBe('a bug')
    expect(sent.slice(before).map(({ type }) => type)).toEqual(['cancel'])
  })

  test('a repeated change is answered once', async () => {
    const { desk, clock, journal } = await aFarDesk()
    await desk.submit(anOrder())
    await pass(desk, clock)
    await desk.submit(anOrder({ side: 'SELL', orderType: 'LIMIT', price: 60_000 }))
    await pass(desk, clock)
    await desk.submit({ type: 'ModifyOrder', orderId: idFrom<OrderId>('O-2'), price: 61_000 })
    await expect(desk.submit({ type: 'ChangeLimits', limits: null } as never)).rejects.toThrow()
    await desk.recover()
    await pass(desk, clock)
    const types: string[] = []
    for await (const { events } of journal.entriesAfter(NO_SEQ)) types.push(...events.map(({ type }) => type))
    expect(types.filter((type) => type === 'OrderChanged')).toHaveLength(1)
    expect(theOrder(desk, 'O-2')).toMatchObject({ status: 'PENDING', price: 61_000 })
  })
})
