import { describe, expect, test } from 'vitest'
import { createHardState } from '#state/hard-state.ts'
import { anEntry, JOURNAL_CASES } from '#testkit/journal-cases.ts'
import { createLab } from '#testkit/lab.ts'
import { type IdempotencyKey, idFrom } from '#values/ids.ts'
import { MS_PER_DAY } from '#values/instant.ts'
import { decodeEntry, encodeEntry, encodeForBoth } from './codec.ts'
import { createMemoryJournal } from './memory-journal.ts'
import { fold, recover } from './replay.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts'

const LARGE_LIMITS = { maxOrderSize: 1e9, maxPositionSize: 1e9, maxDailyLoss: 1e9 }

describe('the memory journal', () => {
  for (const { title, run } of JOURNAL_CASES) test(title, () => run(async () => createMemoryJournal()))
})

function busyLab() {
  const lab = createLab()
  lab.quote({})
  lab.place({ quantity: 0.1, key: idFrom<IdempotencyKey>('{"$money":"1"}') })
  lab.place({ orderType: 'LIMIT', price: 49_000, quantity: 0.1 })
  lab.place({ orderType: 'STOP', side: 'SELL', price: 45_000, quantity: 0.1, reduceOnly: true })
  lab.place({ quantity: 100 })
  lab.run({ type: 'ConfigureComponent', component: 'DataEngine', config: '{"stale_after_s":90}' })
  lab.run({ type: 'PauseComponent', component: 'MessageBus' })
  lab.run({ type: 'ConnectVenue', venue: 'COINBASE' })
  lab.run({ type: 'ChangeTradingState', to: 'REDUCING', note: 'the "end"' })
  lab.wait(MS_PER_DAY)
  return lab
}

describe('entries as text', () => {
  test('they come back equal, and money is a string of units', () => {
    const { entries } = busyLab()
    expect(entries.length).toBeGreaterThan(10)
    for (const entry of entries) expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
    expect(JSON.parse(encodeEntry(anEntry(1))).events[1]).toEqual({
      type: 'HighWaterRaised',
      equity: '100000000000000000000',
    })
  })

  test.each([
    ['', 'journal.damaged'],
    ['{"seq":1', 'journal.damaged'],
    ['[]', 'journal.damaged'],
    ['null', 'journal.damaged'],
    ['{"seq":1,"version":0,"events":[]}', 'journal.damaged'],
    ['{"seq":1,"version":1,"events":[{"type":"HighWaterRaised","equity":"1.5"}]}', 'journal.damaged'],
  ])('%s is a fault', (text, code) => {
    expect(() => decodeEntry(text)).toThrow(expect.objectContaining({ code }))
  })

  test.each([
    ['{"seq":4,"version":9,"events":[]}', 'Entry 4 has version 9, this Binnacle reads up to 1'],
    ['{"seq":4,"version":1,"events":[{"type":"Nonsense"}]}', 'Entry 4 has the unknown event Nonsense'],
  ])('[START-250] %s is refused as written by a newer Binnacle', (text, what) => {
    expect(() => decodeEntry(text)).toThrow(
      expect.objectContaining({
        code: 'journal.version',
        message: `${what}: the journal was written by a newer Binnacle. Start that version, or restore a backup of this one.`,
      }),
    )
  })

  test('[START-250] a snapshot of a higher version is refused as written by a newer Binnacle', () => {
    const { seq, text } = encodeSnapshot(busyLab().state)
    expect(() => decodeSnapshot({ seq, text: text.replace('"version":3', '"version":4') })).toThrow(
      expect.objectContaining({
        code: 'journal.version',
        message: `The snapshot of entry ${seq} was written by a newer Binnacle. Start that version, or restore a backup of this one.`,
      }),
    )
  })
})

describe('replay', () => {
  test('folding the entries gives the live hard state, through text as well', () => {
    const lab = busyLab()
    expect(fold(createHardState(), lab.entries)).toEqual(lab.state)
    expect(fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))).toEqual(lab.state)
  })

  test('encoded with the text for views, an entry has the same text in the journal', () => {
    const lab = busyLab()
    const origin = { action: 'orders.place', role: 'admin', address: null }
    const entries = [
      ...lab.entries,
      ...lab.entries.map((entry) => ({ ...entry, requestId: 'a "quote"', origin })),
    ]
    for (const entry of entries) expect(decodeEntry(encodeForBoth(entry).text)).toEqual(entry)
    expect(entries.map((entry) => encodeForBoth(entry).text)).toEqual(entries.map(encodeEntry))
  })

  test('folding the entries as they are encoded for views gives the same state, from shorter texts', () => {
    const lab = busyLab()
    const encoded = lab.entries.map(encodeForBoth)
    const forViews = encoded.map((each) => each.forViews)
    expect(fold(createHardState(), forViews.map(decodeEntry))).toEqual(lab.state)
    const isShorter = encoded.map((each) => each.forViews.length < each.text.length)
    expect(new Set(isShorter)).toEqual(new Set([true, false]))
    for (const [index, { text }] of encoded.entries())
      if (!isShorter[index]) expect(forViews[index]).toBe(text)
  })

  test('the basis is left out of the text for views, whatever names and keys an order has', () => {
    const lab = busyLab()
    const entry = lab.entries.find(({ events }) => events.some(({ type }) => type === 'OrderSubmitted'))
    const [event] = entry?.events ?? []
    if (entry === undefined || event?.type !== 'OrderSubmitted') throw new Error('no order was submitted')
    const { basis, ...shown } = event
    const terms = { ...event.terms, key: idFrom<IdempotencyKey>(',"basis":{') }
    const signal = { basis: 1, 'a","basis":': 2 }
    const named = {
      ...entry,
      events: [{ ...event, terms, basis: { effect: 'adds', quote: null, checks: [], signal } }],
    }
    const { text, forViews } = encodeForBoth(named as typeof entry)
    expect(basis).toBeDefined()
    expect(decodeEntry(text)).toEqual(named)
    expect(decodeEntry(forViews)).toEqual({ ...entry, events: [{ ...shown, terms }] })
  })

  test('a snapshot is the state, and a snapshot with the entries after it is the whole', async () => {
    const lab = busyLab()
    const named = { name: 'Trend', strategyType: 'momentum', description: '', config: {} }
    lab.run({ type: 'AddStrategy', ...named, key: idFrom<IdempotencyKey>('once') })
    expect(decodeSnapshot(encodeSnapshot(lab.state))).toEqual(lab.state)
    for (const cut of [1, 3, lab.entries.length]) {
      const journal = createMemoryJournal(lab.entries)
      await journal.saveSnapshot(encodeSnapshot(fold(createHardState(), lab.entries.slice(0, cut))))
      expect(await recover(journal)).toEqual(lab.state)
    }
  })

  test('an amount beyond a double comes back from a snapshot, and other parts are written as without it', () => {
    const lab = busyLab()
    const plain = encodeSnapshot(lab.state).text
    lab.run({ type: 'ChangeLimits', limits: { ...LARGE_LIMITS, maxPositions: 10 } })
    const { seq, text } = encodeSnapshot(lab.state)
    expect(JSON.parse(text).risk.limits.maxDailyLoss).toEqual({ $money: '100000000000000000' })
    expect(decodeSnapshot({ seq, text })).toEqual(lab.state)
    expect(JSON.parse(text).finished).toEqual(JSON.parse(plain).finished)
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(plain)))
  })

  test('a gap is a fault that names the place', async () => {
    const { entries } = busyLab()
    expect(() => fold(createHardState(), [...entries.slice(0, 2), ...entries.slice(3)])).toThrow(
      'Journal gap: expected entry 3, found 4.',
    )
    await expect(recover(createMemoryJournal(entries.slice(1)))).rejects.toMatchObject({
      code: 'journal.gap',
    })
  })

  test('a snapshot of the first version, which knew no strategies, is still read', () => {
    const { seq, text } = encodeSnapshot(busyLab().state)
    const { strategies, nextStrategy, strategyKeys, ...plain } = JSON.parse(text)
    expect([strategies, nextStrategy, strategyKeys]).toEqual([[], 1, []])
    for (const [, result] of plain.results) delete result.fills
    const old = decodeSnapshot({ seq, text: JSON.stringify({ ...plain, version: 1 }) })
    expect(old.strategies).toEqual(createHardState().strategies)
    expect([...old.positions.results.values()].map(({ fills }) => fills)).toEqual(
      [...old.positions.results.values()].map(() => 0),
    )
  })

  test('a snapshot of the second version, which wrapped all money, is still read', () => {
    const { state } = busyLab()
    const { seq, text } = encodeSnapshot(state)
    const { account, ...plain } = JSON.parse(text)
    const units = Object.entries(account).map(([name, amount]) => [name, { $money: String(amount) }])
    const old = { ...plain, version: 2, account: Object.fromEntries(units) }
    expect(decodeSnapshot({ seq, text: JSON.stringify(old) })).toEqual(state)
  })

  test('a snapshot that does not count the changes of orders is still read, and a change on its way is the first', () => {
    const lab = createLab({ latency: { outboundMs: () => 100, inboundMs: () => 0 } })
    const resting = { orderType: 'LIMIT', price: 40_000, quantity: 0.01 } as const
    const { id: orderId } = lab.place(resting)
    lab.place(resting)
    lab.run({ type: 'ModifyOrder', orderId, quantity: 0.02 })
    const { seq, text } = encodeSnapshot(lab.state)
    const old = decodeSnapshot({ seq, text: text.replaceAll(/,"changes":[01]/g, '') })
    expect([...old.orders.working.values()].map(({ changes }) => changes)).toEqual([1, 0])
    expect(old).toEqual(lab.state)
  })

  test('a damaged snapshot is a fault, never an empty desk', () => {
    const { seq, text } = encodeSnapshot(busyLab().state)
    expect(() => decodeSnapshot({ seq, text: text.slice(0, -5) })).toThrow('cannot be read')
    expect(() => decodeSnapshot({ seq, text: text.replace('"version":3', '"version":0') })).toThrow(
      'has a different version or entry number',
    )
  })
})
