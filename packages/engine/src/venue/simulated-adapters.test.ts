import { describe, expect, test } from 'vitest'
import { standardInstruments } from '#market/instruments.ts'
import type { VenueReport } from '#model/input.ts'
import type { VenueId } from '#model/instrument.ts'
import { ADAPTER_CONFORMANCE, type AdapterBench } from '#testkit/adapter-conformance.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, MANUAL, type OrderId } from '#values/ids.ts'
import { netQuantityFromLots } from '#values/quantity.ts'
import { DEFAULT_LINK, type LinkFaults, type LinkStatus, NO_FAULTS, type VenueAdapter } from './adapter.ts'
import { createSimulatedAdapters } from './simulated-adapters.ts'

const PERP = 'BTCUSDT-PERP'
const LATENCY = { outboundMs: () => 20, inboundMs: () => 30 }

interface Bench extends AdapterBench {
  readonly adapter: VenueAdapter
  inject(faults: Partial<LinkFaults>, venue?: VenueId): void
  status(venue?: VenueId): LinkStatus | undefined
}

async function openBench(): Promise<Bench> {
  const instruments = standardInstruments()
  const adapter = createSimulatedAdapters({ instruments, latencyOf: () => LATENCY })
  const reports: VenueReport[] = []
  const forgotten = new Set<OrderId>()
  const withoutForgotten = (report: VenueReport): VenueReport[] => {
    if ('orderId' in report) return forgotten.has(report.orderId) ? [] : [report]
    if (report.type !== 'connected' || report.holdings === undefined) return [report]
    const orders = report.holdings.orders.filter(({ orderId }) => !forgotten.has(orderId))
    return [{ ...report, holdings: { ...report.holdings, orders } }]
  }
  const recording: VenueAdapter = {
    ...bound(adapter),
    onReports: (deliver) =>
      adapter.onReports((all, at) => {
        const each = all.flatMap(withoutForgotten)
        reports.push(...each)
        deliver(each, at)
      }),
  }
  const lab = createLab({ instruments, venue: recording, traded: PERP })
  let price = 50_000
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      lab.wait(Math.min(left, 100))
      lab.quote({ bid: price, ask: price + 1 })
      // Answers to questions of the adapter itself arrive as promises.
      await undefined
    }
  }
  const inject = (faults: Partial<LinkFaults>, venue: VenueId = 'BINANCE') => {
    adapter.configure(venue, { ...DEFAULT_LINK, faults: { ...NO_FAULTS, ...faults } }, lab.now)
    lab.wait(0)
  }
  await pass(1_000)
  return {
    lab,
    adapter,
    reports,
    pass,
    inject,
    cut: () => inject({ isDropped: true }),
    restore: () => inject({}),
    forget: (order) => forgotten.add(order),
    async trade(to) {
      price = to
      await pass(1_000)
    },
    status: (venue = 'BINANCE') => adapter.links(lab.now).find((link) => link.venue === venue),
  }
}

function bound(adapter: VenueAdapter): VenueAdapter {
  return {
    send: (message, at) => adapter.send(message, at),
    onReports: (deliver) => adapter.onReports(deliver),
    observe: (input) => adapter.observe(input),
    estimate: (terms) => adapter.estimate(terms),
    links: (at) => adapter.links(at),
    configure: (venue, settings, at) => adapter.configure(venue, settings, at),
    test: (venue) => adapter.test(venue),
    isListed: (instrument) => adapter.isListed(instrument),
  }
}

async function testLink({ adapter, pass }: Bench, venue: VenueId = 'BINANCE') {
  let steps: Awaited<ReturnType<VenueAdapter['test']>> | undefined
  void adapter.test(venue).then((each) => {
    steps = each
  })
  for (let turn = 0; steps === undefined && turn < 300; turn++) await pass(100)
  return steps ?? []
}

const resultsOf = (steps: Awaited<ReturnType<typeof testLink>>) =>
  Object.fromEntries(steps.map(({ name, result }) => [name, result]))

const PASSED = {
  Connection: 'passed',
  TLS: 'not-applicable',
  Clock: 'passed',
  Key: 'passed',
  Symbols: 'passed',
  'Account permissions': 'not-applicable',
  Prices: 'passed',
  'Round trip': 'passed',
}

describe('conformance of the simulated adapters', () => {
  test.each(ADAPTER_CONFORMANCE.map(({ name, run }) => ({ name, run })))(
    '[ADAPT-6] $name',
    async ({ run }) => {
      await run(await openBench())
    },
  )
})

describe('a lost connection', () => {
  test('[ADAPT-7] tries follow with doubled waits up to the longest', async () => {
    const bench = await openBench()
    const settings = { reconnectAfterMs: 1_000, reconnectMaxMs: 5_000 }
    bench.adapter.configure(
      'BINANCE',
      { ...settings, faults: { ...NO_FAULTS, isDropped: true } },
      bench.lab.now,
    )
    await bench.pass(40_000)
    const waits = bench.status()?.log.map(({ text }) => /([\d.]+) s\.$/.exec(text)?.[1])
    expect(waits?.toReversed().slice(1, 8)).toEqual(['1', '2', '4', '5', '5', '5', '5'])
    expect(bench.status()).toMatchObject({ state: 'waiting', reconnects: 0 })
    bench.adapter.configure('BINANCE', { ...settings, faults: NO_FAULTS }, bench.lab.now)
    await bench.pass(6_000)
    expect(bench.status()).toMatchObject({ state: 'connected', reconnects: 1, tries: 0, nextTryAt: null })
  })

  test('[ADAPT-8] prices of its instruments stop, those of others go on', async () => {
    const { lab, cut, trade } = await openBench()
    const bidOf = (name: string) =>
      lab.engine.computeLiveFigures().marks.bid[lab.instruments.all.findIndex(({ id }) => id === name)]
    cut()
    const before = bidOf(PERP)
    await trade(51_000)
    lab.quote({ instrument: 'BTCUSDT.OKX', bid: 51_000, ask: 51_001 })
    expect(bidOf(PERP)).toBe(before)
    expect(bidOf('BTCUSDT.OKX')).toBe(5_100_000)
  })

  test('[ADAPT-9] switched off while lost: its orders are cancelled with the next connection', async () => {
    const { lab, cut, restore, pass } = await openBench()
    const order = lab.place({ orderType: 'LIMIT', price: 48_000, quantity: 0.01 })
    await pass(1_000)
    cut()
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    await pass(60_000)
    expect(lab.order(order.id)).toMatchObject({ state: 'WORKING', isCancelRequested: true })
    restore()
    await pass(60_000)
    expect(lab.state.connected.has('BINANCE')).toBe(false)
    lab.run({ type: 'ConnectVenue', venue: 'BINANCE' })
    await pass(2_000)
    expect(lab.order(order.id).state).toBe('CANCELLED')
  })
})

describe('figures', () => {
  test('[ADAPT-10] latency, skew, rate and the age of the last message are measured', async () => {
    const bench = await openBench()
    bench.inject({ latencyMs: 40, clockSkewMs: 120 })
    await bench.pass(20_000)
    const status = bench.status()
    // 20 + 30 ms and 40 ms each way, rounded up to the bench's steps of 100 ms each way.
    expect(status?.latency.p50).toBe(200)
    expect(status?.latency.minutes.at(-1)).toBe(200)
    expect(status?.latency.histogram.at(-1)).toBeGreaterThan(5)
    expect(status?.skewMs).toBe(120)
    expect(status?.messagesPerSecond).toBeGreaterThan(9)
    expect(bench.lab.now - (status?.lastMessageAt ?? 0)).toBeLessThan(200)
    expect(bench.status('COINBASE')).toMatchObject({ state: 'off', lastMessageAt: null })
    expect(bench.status('COINBASE')?.latency).toMatchObject({ p50: null, p95: null })
  })
})

test('[ADAPT-10] a heartbeat is measured in the step in which its answer arrives', async () => {
  const { lab, status } = await openBench()
  for (let step = 0; step < 30; step++) lab.wait(100)
  expect(status()?.latency.p50).toBe(200)
})

describe('test of a connection', () => {
  /** The bench quotes only one instrument, so the others are quoted here. */
  const quoteAll = ({ lab }: { lab: Lab }) => {
    for (const { id, venue } of lab.instruments.all)
      if (venue === 'BINANCE') lab.quote({ instrument: id, bid: 100, ask: 101 })
  }

  test('[ADAPT-11] passes on a connected venue, and says what is not applicable', async () => {
    const bench = await openBench()
    quoteAll(bench)
    const steps = await testLink(bench)
    expect(resultsOf(steps)).toEqual(PASSED)
    expect(steps.find(({ name }) => name === 'Clock')).toMatchObject({
      detail: expect.stringMatching(/^Skew .*0 ms, at most 500\.$/),
      ms: 200,
    })
  })

  test.each<[string, Partial<LinkFaults>, object]>([
    ['latency', { latencyMs: 900 }, { 'Round trip': 'failed' }],
    ['clock skew', { clockSkewMs: -900 }, { Clock: 'failed' }],
    ['a wrong key', { isKeyRefused: true }, { Key: 'failed' }],
    [
      'a missing symbol',
      { missing: standardInstruments().all.flatMap(({ id }) => (id === 'ETHUSDT' ? id : [])) },
      { Symbols: 'failed' },
    ],
    [
      'a dropped connection',
      { isDropped: true },
      {
        Connection: 'failed',
        Clock: 'not-run',
        Key: 'not-run',
        Symbols: 'not-run',
        Prices: 'not-run',
        'Round trip': 'not-run',
      },
    ],
  ])('[ADAPT-12] %s fails its step and no other', async (_, faults, expected) => {
    const bench = await openBench()
    bench.inject(faults)
    quoteAll(bench)
    expect(resultsOf(await testLink(bench))).toEqual({ ...PASSED, ...expected })
  })

  test('[ADAPT-12] a symbol that is missing for long fails the step of prices, and its orders are rejected', async () => {
    const bench = await openBench()
    quoteAll(bench)
    await bench.pass(11_000)
    expect(resultsOf(await testLink(bench))).toEqual({ ...PASSED, Prices: 'failed' })
    const missing = bench.lab.instruments.all.flatMap(({ id }) => (id === PERP ? id : []))
    bench.inject({ missing })
    const order = bench.lab.place({ quantity: 0.01 })
    await bench.pass(1_000)
    expect(bench.lab.order(order.id)).toMatchObject({
      state: 'REJECTED',
      reason: { code: 'venue.refused', message: 'BTCUSDT-PERP is not listed' },
    })
    expect(bench.adapter.isListed(missing[0] ?? order.terms.instrument)).toBe(false)
  })

  test('[ADAPT-11] a venue that is off is tested without being connected', async () => {
    const bench = await openBench()
    expect(resultsOf(await testLink(bench, 'COINBASE'))).toEqual({ ...PASSED, Prices: 'not-applicable' })
    expect(bench.lab.state.connected.has('COINBASE')).toBe(false)
  })
})

test('[ADAPT-29] what a venue has and we do not is said with its numbers, and an order is cancelled there', async () => {
  const { lab, pass } = await openBench()
  lab.place({ quantity: 0.01 })
  await pass(1_000)
  const instrument = lab.instruments.find(PERP)?.id
  const unknown = idFrom<OrderId>('O-9')
  if (instrument === undefined) throw new Error('no perpetual')
  const positions = [{ strategy: MANUAL, instrument, lots: netQuantityFromLots(2_000) }]
  const holdings = { orders: [{ orderId: unknown, instrument }], positions }
  const { outbox } = lab.receive({ type: 'connected', venue: 'BINANCE', holdings })
  expect(outbox).toEqual([
    { type: 'cancel', orderId: unknown, instrument, cause: { code: 'cancel.reconciled', venue: 'BINANCE' } },
  ])
  expect(lab.events.at(-1)).toMatchObject({
    type: 'VenueReconciled',
    differences: [
      'Order O-9 is open at BINANCE but unknown here; cancel requested.',
      'Position of MANUAL in BTCUSDT-PERP differs: 0.01 here, 0.02 at BINANCE. Check it with the venue.',
    ],
  })
})

test('[ADAPT-20] after a restart the venue has the repeated orders before it reports what it has', async () => {
  const before = createLab({ traded: PERP })
  before.quote({ bid: 50_000, ask: 50_001 })
  before.place({ quantity: 0.01 })
  const resting = before.place({ orderType: 'LIMIT', price: 48_000, quantity: 0.01 })
  const { instruments, state } = before
  const adapter = createSimulatedAdapters({ instruments, latencyOf: () => LATENCY })
  const lab = createLab({ instruments, state, venue: adapter, traded: PERP, at: before.now })
  for (let turn = 0; turn < 10; turn++) {
    lab.wait(100)
    lab.quote({ bid: 50_000, ask: 50_001 })
  }
  expect(lab.order(resting.id).state).toBe('WORKING')
  expect(lab.events.filter(({ type }) => type === 'VenueReconciled')).toEqual([])
  expect(adapter.links(lab.now)[0]).toMatchObject({ venue: 'BINANCE', state: 'connected' })
})
