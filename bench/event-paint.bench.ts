import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { CHROMIUM } from '../e2e/chromium.ts'
import { conclude, type Limit, median, percentile, rounded, slopeOf } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/**
 * From an event of the engine to the painted figure, and the time between frames, on Orders with 10,000 rows that are
 * scrolled while 200 changes a second arrive. BINNACLE_BENCH_ROUNDS (0: not at all) and BINNACLE_BENCH_ORDERS make it shorter.
 * With BINNACLE_BENCH_HEAP_MINUTES also the heap of three screens, each minute of so many of streaming.
 */

const WORKING_ORDERS = Number(process.env.BINNACLE_BENCH_ORDERS ?? 10_000)
const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 3)
const HEAP_MINUTES = Number(process.env.BINNACLE_BENCH_HEAP_MINUTES ?? 0)
const SECONDS = 15
/** An order that is placed or moved changes twice: by the request and by the venue's answer. */
const PLACED_PER_SECOND = 50
const MOVED_PER_SECOND = 60
const FILLED_PER_SECOND = 20
const CHANGES_LIMIT = 200
const PAINT_LIMIT_MS = 250
const FRAME_LIMIT_MS = 50
/** Caches fill and code is compiled meanwhile. */
const WARM_MINUTES = 1
const SETTLING_MINUTES = 5
/** The heap at the end against that at the start, by the slope. */
const HEAP_LIMIT = 1.1
const BATCH = 50
/** Of one kind of act: the server refuses more than 100 requests at once. */
const MAX_RUNNING = 40
const NO_LIMIT = 1_000_000_000

const site = resolve(import.meta.dirname, '../packages/web/dist')
if (!existsSync(join(site, 'index.html'))) throw new Error(`There is no built site in ${site}: npm run build`)

const folder = await mkdtemp(join(tmpdir(), 'binnacle-event-paint-'))
const server = await startServerProcess(folder, { BINNACLE_SITE: site })
await send('POST', '/api/risk/limits', {
  max_order_size: NO_LIMIT,
  max_position_size: NO_LIMIT,
  max_daily_loss: NO_LIMIT,
  max_positions: 1_000,
})
const events = await followOrders()
/** Orders placed, by their replies. */
let acknowledged = 0
for (let placed = 0; placed < WORKING_ORDERS; placed += BATCH)
  await Promise.all(Array.from({ length: Math.min(BATCH, WORKING_ORDERS - placed) }, placeResting))
await events.until(WORKING_ORDERS)

const browser = await chromium.launch(CHROMIUM)
const limits = [
  ...(ROUNDS > 0 ? await measurePaint(browser) : []),
  ...(HEAP_MINUTES > 0 ? await measureHeap(browser) : []),
]
await browser.close()
events.end()
await server.end('SIGTERM')
await rm(folder, { recursive: true })
conclude(limits)

interface Round {
  paintMs: number[]
  frameMs: number[]
  quietFrameMs: number[]
  changesPerSecond: number
}

async function measurePaint(on: Browser): Promise<Limit[]> {
  const page = await openPage(on, '/trader/orders?tab=working')
  await page.getByText(`${WORKING_ORDERS.toLocaleString('en-US')} rows`, { exact: true }).waitFor()
  const clockMs = await clockDifference(page)
  await addRecorder(page)
  const rounds: Round[] = []
  // The first round is not counted: code is compiled and caches are filled.
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = await measureRound(page, clockMs)
    if (round > 0) rounds.push(measured)
  }
  await page.context().close()
  console.log(
    `Orders with ${WORKING_ORDERS} rows and more, scrolled; the browser's clock is ${clockMs} ms ahead.`,
  )
  console.table(
    rounds.map(({ paintMs, frameMs, quietFrameMs, changesPerSecond }) => ({
      'changes/s': Math.round(changesPerSecond),
      'painted events': paintMs.length,
      'paint p50 ms': rounded(median(paintMs)),
      'paint p95 ms': rounded(percentile(paintMs, 95)),
      'frame p50 ms': rounded(median(frameMs)),
      'frame p99 ms': rounded(percentile(frameMs, 99)),
      'frame p99 ms without changes': rounded(percentile(quietFrameMs, 99)),
    })),
  )
  return [
    {
      what: 'changes of orders a second, the fewest of the rounds',
      figure: Math.min(...rounds.map(({ changesPerSecond }) => changesPerSecond)),
      limit: CHANGES_LIMIT,
      must: 'reach',
    },
    {
      what: 'p95 from the event to the painted figure in ms, the worst round',
      figure: Math.max(...rounds.map(({ paintMs }) => percentile(paintMs, 95))),
      limit: PAINT_LIMIT_MS,
      must: 'not exceed',
    },
    {
      what: 'p99 of the time between frames in ms, the worst round',
      figure: Math.max(...rounds.map(({ frameMs }) => percentile(frameMs, 99))),
      limit: FRAME_LIMIT_MS,
      must: 'not exceed',
    },
  ]
}

async function measureRound(page: Page, clockMs: number): Promise<Round> {
  const quiet = await record(page, () => setTimeout(SECONDS * 1_000))
  const [eventsBefore, changesBefore] = [events.placedAt.length, events.changes()]
  const startMs = performance.now()
  let elapsedMs = 0
  const { paintings, frameMs } = await record(page, async () => {
    await Promise.all([
      atRate(PLACED_PER_SECOND, SECONDS, placeResting),
      atRate(MOVED_PER_SECOND, SECONDS, moveResting),
    ])
    elapsedMs = performance.now() - startMs
    // The last events may come after the last replies.
    await events.until(acknowledged)
    await page
      .getByText(`${events.placedAt.length.toLocaleString('en-US')} rows`, { exact: true })
      .waitFor({ timeout: 60_000 })
    // The recorder notes a painting one frame after the text has changed.
    await setTimeout(500)
  })
  return {
    paintMs: paintDelays(events.placedAt.slice(eventsBefore), eventsBefore, paintings).map(
      (delayMs) => delayMs - clockMs,
    ),
    frameMs,
    quietFrameMs: quiet.frameMs,
    changesPerSecond: ((events.changes() - changesBefore) * 1_000) / elapsedMs,
  }
}

/** From each order's event to the first painting that counts it. */
function paintDelays(
  placedAt: readonly number[],
  ordersBefore: number,
  paintings: readonly Painting[],
): number[] {
  return placedAt.map((at, index) => {
    const painting = paintings.find(({ rows }) => rows > ordersBefore + index)
    if (painting === undefined) throw new Error(`order ${ordersBefore + index + 1} was never painted`)
    return painting.at - at
  })
}

/** How far the clock of the browser is ahead, in ms: by the quickest of some readings. */
async function clockDifference(page: Page): Promise<number> {
  const readings: { roundTripMs: number; differenceMs: number }[] = []
  for (let reading = 0; reading < 20; reading++) {
    const before = Date.now()
    const there = await page.evaluate(() => Date.now())
    const roundTripMs = Date.now() - before
    readings.push({ roundTripMs, differenceMs: there - before - roundTripMs / 2 })
  }
  return readings.toSorted((a, b) => a.roundTripMs - b.roundTripMs)[0]?.differenceMs ?? 0
}

interface Painting {
  rows: number
  at: number
}

interface Recorder {
  start(): void
  stop(): { paintings: Painting[]; frames: number[] }
}

/** Scrolls the list up and down, and notes when each count of rows was painted and when each frame began. */
async function addRecorder(page: Page): Promise<void> {
  await page.evaluate(() => {
    const figure = [...document.querySelectorAll('span')].find(({ textContent }) =>
      /^[\d,]+ rows$/.test(textContent),
    )
    const list = document.querySelector('section[aria-label="Orders, scrollable"]')
    if (figure === undefined || list === null) throw new Error('the list is not shown')
    let paintings: Painting[] = []
    let frames: number[] = []
    let frame = 0
    let step = 40
    const afterFrame = new MessageChannel()
    afterFrame.port1.onmessage = ({ data }) => paintings.push({ rows: data, at: Date.now() })
    new MutationObserver(() => {
      const rows = Number(figure.textContent.replaceAll(/\D/g, ''))
      // The message arrives once the next frame is painted, which shows the figure at the latest.
      requestAnimationFrame(() => afterFrame.port2.postMessage(rows))
    }).observe(figure, { childList: true, characterData: true, subtree: true })
    const onFrame = (at: number) => {
      frames.push(at)
      if (list.scrollTop === 0) step = 40
      if (list.scrollTop + list.clientHeight >= list.scrollHeight - 50) step = -40
      list.scrollTop += step
      frame = requestAnimationFrame(onFrame)
    }
    const recorder: Recorder = {
      start() {
        paintings = []
        frames = []
        frame = requestAnimationFrame(onFrame)
      },
      stop() {
        cancelAnimationFrame(frame)
        return { paintings, frames }
      },
    }
    Object.assign(window, { recorder })
  })
}

async function record(page: Page, act: () => Promise<unknown>) {
  await page.evaluate(() => (window as unknown as { recorder: Recorder }).recorder.start())
  await act()
  const { paintings, frames } = await page.evaluate(() =>
    (window as unknown as { recorder: Recorder }).recorder.stop(),
  )
  return { paintings, frameMs: frames.slice(1).map((at, index) => at - (frames[index] ?? at)) }
}

/** The heap of each screen after collections, while orders move and fill. The lists do not grow meanwhile. */
async function measureHeap(on: Browser): Promise<Limit[]> {
  const screens = ['/trader', '/trader/market-data', '/trader/orders?tab=working']
  const sessions = await Promise.all(
    screens.map(async (screen) => {
      const page = await openPage(on, screen)
      await page.getByText('Live', { exact: true }).first().waitFor()
      return page.context().newCDPSession(page)
    }),
  )
  const heapsMb: number[][] = screens.map(() => [])
  const changesBefore = events.changes()
  await stream(WARM_MINUTES)
  for (let minute = 0; minute <= HEAP_MINUTES; minute++) {
    if (minute > 0) await stream(1)
    for (const [index, session] of sessions.entries()) {
      await session.send('HeapProfiler.collectGarbage')
      heapsMb[index]?.push((await session.send('Runtime.getHeapUsage')).usedSize / 1e6)
    }
    console.log(`minute ${minute}: ${heapsMb.map((heap) => rounded(heap.at(-1) ?? 0)).join(', ')} MB`)
  }
  const changesPerSecond = (events.changes() - changesBefore) / ((WARM_MINUTES + HEAP_MINUTES) * 60)
  const rows = heapsMb.map((heapMb, index) => {
    const settled = HEAP_MINUTES > SETTLING_MINUTES + 1 ? heapMb.slice(SETTLING_MINUTES) : heapMb
    const [first = Number.NaN] = settled
    return {
      screen: screens[index],
      'MB at the start': rounded(heapMb[0] ?? Number.NaN),
      'MB at the end': rounded(heapMb.at(-1) ?? Number.NaN),
      'MB a minute': rounded(slopeOf(heapMb)),
      'MB a minute, settled': rounded(slopeOf(settled)),
      growth: rounded(1 + (slopeOf(settled) * (settled.length - 1)) / first),
    }
  })
  console.log(`The heap over ${HEAP_MINUTES} minutes with ${Math.round(changesPerSecond)} changes a second.`)
  console.table(rows)
  return [
    {
      what: 'heap at the end against the start, by the slope once settled, the worst screen',
      figure: Math.max(...rows.map(({ growth }) => growth)),
      limit: HEAP_LIMIT,
      must: 'not exceed',
    },
  ]
}

async function stream(minutes: number): Promise<void> {
  let filled = 0
  await Promise.all([
    atRate(MOVED_PER_SECOND, minutes * 60, moveResting),
    atRate(FILLED_PER_SECOND, minutes * 60, () => {
      filled += 1
      const side = filled % 2 === 0 ? 'BUY' : 'SELL'
      return send('POST', '/api/orders', {
        instrument: 'BTCUSDT-PERP',
        side,
        type: 'MARKET',
        quantity: 0.001,
      })
    }),
  ])
}

async function openPage(on: Browser, path: string): Promise<Page> {
  const context = await on.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(server.url + path)
  return page
}

/** Rests far from the market. */
async function placeResting(): Promise<void> {
  const order = { instrument: 'SOLUSDT-PERP', side: 'BUY', type: 'LIMIT', quantity: 0.01, price: 10 }
  await send('POST', '/api/orders', order)
  acknowledged += 1
}

/** Moves the price of the resting orders, one after the other. Of two that overtake each other one is refused. */
function moveResting(): Promise<void> {
  const { id, price } = events.nextToMove()
  return send('PATCH', `/api/orders/${id}`, { price }, 409)
}

async function send(method: 'POST' | 'PATCH', path: string, body: object, refusal?: 409): Promise<void> {
  const reply = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok && reply.status !== refusal)
    throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}

/** Starts so many acts a second, whether or not those before have ended; fewer on a machine that cannot keep up. */
async function atRate(perSecond: number, seconds: number, act: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>()
  const startMs = performance.now()
  for (let started = 0, dueActs = 0; dueActs < perSecond * seconds; await setTimeout(5)) {
    dueActs = ((performance.now() - startMs) * perSecond) / 1_000
    for (; started < dueActs; started++) {
      if (running.size >= MAX_RUNNING) continue
      const run = act().finally(() => running.delete(run))
      running.add(run)
    }
  }
  await Promise.all(running)
}

/** The events of the engine as a client of the stream gets them. */
async function followOrders() {
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/api/stream`)
  const ids: string[] = []
  const known = new Set<string>()
  const placedAt: number[] = []
  let changes = 0
  let moved = 0
  await new Promise<void>((isReady, fail) => {
    socket.onerror = () => fail(new Error('the stream was lost'))
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'hello') socket.send(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
      if (frame.type === 'snapshot') isReady()
      if (frame.type !== 'change') return
      changes += frame.data.changed.length
      for (const { id, status, created_at } of frame.data.changed) {
        if (known.has(id) || status !== 'PENDING') continue
        known.add(id)
        ids.push(id)
        placedAt.push(Date.parse(created_at))
      }
    }
  })
  return {
    /** When each order was placed, by the engine, in the order of the events. */
    placedAt,
    changes: () => changes,
    nextToMove() {
      const pass = Math.floor(moved / WORKING_ORDERS)
      const id = ids[moved % WORKING_ORDERS]
      moved += 1
      return { id, price: pass % 2 === 0 ? 10.5 : 10 }
    },
    async until(count: number) {
      while (placedAt.length < count) await setTimeout(10)
    },
    end: () => socket.close(),
  }
}
