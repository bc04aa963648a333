import { describe, expect, test } from 'vitest'
import type { Journal } from '#journal/journal.ts'
import { createMemoryJournal } from '#journal/memory-journal.ts'
import { fold, recover } from '#journal/replay.ts'
import { standardInstruments } from '#market/instruments.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { createHardState } from '#state/hard-state.ts'
import { anOrder, aQuote } from '#testkit/builders.ts'
import { aDesk, aFarDesk, anOpenedDesk, pass, theOrder } from '#testkit/desks.ts'
import { type IdempotencyKey, idFrom, NO_SEQ, seqFrom } from '#values/ids.ts'
import { createSimulatedVenue } from '#venue/simulated-venue.ts'
import type { Venue, VenueRequest } from '#venue/venue.ts'

const instruments = standardInstruments()

/** A venue, and what the desk says to it. */
function aRecordedVenue() {
  const inner = createSimulatedVenue({ instruments })
  const sent: VenueRequest[] = []
  const venue: Venue = {
    onReports: (deliver) => inner.onReports(deliver),
    observe: (input) => inner.observe(input),
    estimate: (terms) => inner.estimate(terms),
    send: (message, at) => {
      sent.push(message)
      inner.send(message, at)
    },
  }
  return { venue, sent }
}

describe('the path of an order', () => {
  test('it is answered when it is durable and the views show it, and fills after that', async () => {
    const { desk } = await anOpenedDesk()
    const origin = { action: 'orders.place', role: 'trader', address: '::1' }
    const outcome = await desk.submit(anOrder(), { by: 'ann', requestId: 'r-1', origin })
    expect(outcome).toMatchObject({ ok: true, orderId: 'O-1', revision: 2 })
    for await (const entry of desk.entriesAfter(seqFrom(1))) {
      expect(entry).toMatchObject({ seq: 2, by: 'ann', requestId: 'r-1', origin })
      break
    }
    await desk.idle()
    expect(theOrder(desk)?.status).toBe('FILLED')
    expect(desk.readViews().positions()).toHaveLength(1)
  })

  test('a refusal is a value and leaves no entry', async () => {
    const { desk } = await anOpenedDesk()
    expect(await desk.submit(anOrder({ quantity: 0 }))).toEqual({
      ok: false,
      reason: { code: 'quantity.zero', given: '0' },
    })
    expect(desk.seq).toBe(1)
  })

  test('50 commands given together are one append, and so are the 50 answers of the venue', async () => {
    const groups: number[] = []
    const memory = createMemoryJournal()
    const journal: Journal = {
      ...memory,
      append: (entries) => {
        groups.push(entries.length)
        return memory.append(entries)
      },
    }
    const { desk } = await anOpenedDesk({ journal })
    groups.length = 0
    const far = { orderType: 'LIMIT', price: 40_000, quantity: 0.001 } as const
    await Promise.all(Array.from({ length: 50 }, () => desk.submit(anOrder(far))))
    await desk.idle()
    expect(groups).toEqual([50, 50])
  })

  test('what venues say at one time is one entry, and at most a hundred reports', async () => {
    const { desk, clock, journal } = await aFarDesk()
    const far = { orderType: 'LIMIT', price: 40_000, quantity: 0.001 } as const
    await Promise.all(Array.from({ length: 250 }, () => desk.submit(anOrder(far))))
    const last = desk.seq
    await pass(desk, clock)
    const entries: JournalEntry[] = []
    for await (const entry of journal.entriesAfter(last)) entries.push(entry)
    expect(entries.map(({ events }) => events.length)).toEqual([100, 100, 50])
    expect(
      desk
        .readViews()
        .orders()
        .every(({ status }) => status === 'PENDING'),
    ).toBe(true)
  })
})

describe('journal first', () => {
  test('nothing is shown, answered or sent before the append is done', async () => {
    let open: () => void = () => {}
    const memory = createMemoryJournal()
    let isSlow = false
    const slow: Journal = {
      ...memory,
      append: async (entries) => {
        if (isSlow) await new Promise<void>((resolve) => (open = resolve))
        await memory.append(entries)
      },
    }
    const { venue, sent } = aRecordedVenue()
    const { desk } = await anOpenedDesk({ journal: slow, venue })
    await desk.idle()
    isSlow = true
    sent.length = 0
    let isAnswered = false
    const answer = desk.submit(anOrder()).then(() => {
      isAnswered = true
    })
    await Promise.resolve()
    await Promise.resolve()
    expect({ isAnswered, sent: sent.length, seen: theOrder(desk) }).toEqual({
      isAnswered: false,
      sent: 0,
      seen: null,
    })
    isSlow = false
    open()
    await answer
    expect(sent.map(({ type }) => type)).toEqual(['submit'])
    expect(theOrder(desk)?.id).toBe('O-1')
  })

  test('entries are handed on in order, and can be followed from any of them', async () => {
    const received: number[] = []
    const { desk } = await anOpenedDesk({
      onEntries: (entries) => received.push(...entries.map(({ seq }) => seq)),
    })
    await desk.submit(anOrder())
    await desk.idle()
    expect(received).toEqual([1, 2, 3])
    const followed: number[] = []
    const following = (async () => {
      for await (const { seq } of desk.entriesAfter(NO_SEQ)) {
        followed.push(seq)
        if (seq === 5) return
      }
    })()
    await desk.submit({ type: 'PauseComponent', component: 'Cache' })
    await desk.submit({ type: 'StartComponent', component: 'Cache' })
    await following
    expect(followed).toEqual([1, 2, 3, 4, 5])
  })
})

describe('a journal that fails', () => {
  function failing() {
    const memory = createMemoryJournal()
    const disk = { isFull: false }
    const journal: Journal = {
      ...memory,
      append: async (entries) => {
        if (disk.isFull) throw new Error('no space left')
        await memory.append(entries)
      },
    }
    return { journal, disk }
  }

  test('halts the desk: the command is unknown, the next is refused with the reason, market data is ignored', async () => {
    const { journal, disk } = failing()
    const { desk } = await anOpenedDesk({ journal })
    disk.isFull = true
    await expect(desk.submit(anOrder())).rejects.toMatchObject({
      code: 'journal.append-failed',
      message: 'unknown: retry with the same key',
    })
    expect(desk.haltReason).toBe('no space left')
    expect(await desk.submit(anOrder())).toEqual({
      ok: false,
      reason: { code: 'desk.halted', haltReason: 'no space left' },
    })
    expect(theOrder(desk)).toBeNull()
    expect(desk.readViews().risk()).toMatchObject({
      tradingState: 'HALTED',
      tradingStateReason: { code: 'fault', message: 'no space left' },
    })
  })

  test('writing resumes when the disk does, trading only when a person says so', async () => {
    const { journal, disk } = failing()
    const { desk } = await anOpenedDesk({ journal })
    disk.isFull = true
    await expect(desk.submit(anOrder())).rejects.toThrow('unknown')
    await expect(desk.recover()).rejects.toThrow('unknown')
    expect(desk.haltReason).toBe('no space left')
    disk.isFull = false
    await desk.recover()
    expect(desk.haltReason).toBeNull()
    expect(desk.readViews().risk()).toMatchObject({
      tradingState: 'HALTED',
      tradingStateReason: { code: 'fault', message: 'no space left' },
    })
    desk.accept(aQuote(instruments))
    await desk.submit(anOrder())
    expect(theOrder(desk)).toMatchObject({ status: 'REJECTED', reason: { code: 'trading.halted' } })
    await desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
    await desk.submit(anOrder())
    await desk.idle()
    expect(theOrder(desk, 'O-2')?.status).toBe('FILLED')
  })

  test('a fill reported while the disk was full is not lost, not doubled and not asked for again', async () => {
    const { journal, disk } = failing()
    const { venue, sent } = aRecordedVenue()
    const { desk } = await anOpenedDesk({ journal, venue })
    await desk.submit(anOrder({ orderType: 'LIMIT', price: 49_000 }))
    await desk.idle()
    disk.isFull = true
    desk.accept(aQuote(instruments, { bid: 48_000 }))
    await desk.idle()
    expect(desk.haltReason).toBe('no space left')
    expect(theOrder(desk)?.status).toBe('PENDING')
    disk.isFull = false
    await desk.recover()
    await desk.idle()
    expect(theOrder(desk)).toMatchObject({ status: 'FILLED', filled: 0.1 })
    expect(desk.readViews().positions()).toMatchObject([{ quantity: 0.1 }])
    expect(sent.filter(({ type }) => type === 'submit')).toHaveLength(1)
  })
})

describe('a restart', () => {
  test('a disconnect that its venue had not confirmed is asked for again', async () => {
    const journal = createMemoryJournal()
    const first = await aFarDesk({ journal })
    await first.desk.submit({ type: 'DisconnectVenue', venue: 'BINANCE' })
    const second = await aDesk({ journal })
    await second.desk.idle()
    const { connected } = await recover(journal)
    expect([...connected]).toEqual(['BYBIT', 'OKX'])
  })

  test('the desk is as it was, and its orders work on', async () => {
    const journal = createMemoryJournal()
    const first = await anOpenedDesk({ journal })
    const key = idFrom<IdempotencyKey>('k')
    const keyed = anOrder({ orderType: 'LIMIT', price: 49_000, key })
    await first.desk.submit(keyed)
    await first.desk.submit(anOrder({ quantity: 0.05 }))
    await first.desk.idle()
    await first.desk.saveSnapshot()
    await first.desk.submit({ type: 'ChangeTradingState', to: 'REDUCING' })
    await first.desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' })
    const before = first.desk.readViews()

    const { desk } = await aDesk({ journal })
    expect(desk.readViews().orders()).toEqual(before.orders())
    expect(desk.readViews().account().exact).toEqual(before.account().exact)
    expect(await desk.submit(keyed)).toMatchObject({ ok: true, orderId: 'O-1', repeats: 2 })
    expect(theOrder(desk)?.status).toBe('CANCELLED')
  })

  test('a working order fills after the restart, once', async () => {
    const journal = createMemoryJournal()
    const first = await anOpenedDesk({ journal })
    await first.desk.submit(anOrder({ orderType: 'LIMIT', price: 49_000 }))
    await first.desk.idle()
    const { desk } = await aDesk({ journal })
    desk.accept(aQuote(instruments, { bid: 48_000 }))
    await desk.idle()
    expect(theOrder(desk)).toMatchObject({ status: 'FILLED', filled: 0.1 })
    const entries: JournalEntry[] = []
    for await (const entry of journal.entriesAfter(NO_SEQ)) entries.push(entry)
    expect(fold(createHardState(), entries).account.cash).toBe(9_509_902_000_000)
    const fills = entries.flatMap(({ events }) => events).filter(({ type }) => type === 'OrderFilled')
    expect(fills).toHaveLength(1)
  })
})
