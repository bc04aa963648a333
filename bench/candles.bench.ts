import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM } from '../e2e/chromium.ts'
import { conclude, median, percentile, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/** The time between painted frames of Market Data with 100,000 candles, while it is moved and zoomed. */

const CANDLES = 100_000
const ROUNDS = 3
const LIMIT_MS = 50
const MINUTE_MS = 60_000

const site = resolve(import.meta.dirname, '../packages/web/dist')
if (!existsSync(join(site, 'index.html'))) throw new Error(`There is no built site in ${site}: npm run build`)

const folder = await mkdtemp(join(tmpdir(), 'binnacle-candles-'))
const server = await startServerProcess(folder, { BINNACLE_SITE: site, BINNACLE_HISTORY_DAYS: '1' })
const browser = await chromium.launch(CHROMIUM)
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const bars = makeBars()
// The history has them all; the few latest ones, polled until the stream is there, are what they are.
await page.route('**/api/market/bars*', (route) => {
  const limit = Number(new URL(route.request().url()).searchParams.get('limit'))
  const shown = limit < 1_000 ? bars.slice(-limit) : bars
  return route.fulfill({ json: { instrument: 'BTCUSDT', interval: '1m', more: false, bars: shown } })
})
await page.goto(
  `${server.url}/trader/market-data?instrument=BTCUSDT&interval=1m&indicators=ema:20,bollinger:20:2,rsi:14`,
)
await page.getByText(/^O [\d,.]+/).waitFor({ timeout: 120_000 })

// The first movement is not measured: code is compiled and caches are filled.
await move(page)

const frames: Record<'moved' | 'zoomed', number[][]> = { moved: [], zoomed: [] }
for (let round = 0; round < ROUNDS; round++) {
  frames.moved.push(await framesDuring(page, move))
  frames.zoomed.push(await framesDuring(page, zoom))
}
await browser.close()
await server.end('SIGTERM')
await rm(folder, { recursive: true })

const rows = Object.entries(frames).map(([act, rounds]) => {
  const all = rounds.flat()
  const worst = Math.max(...rounds.map((round) => percentile(round, 99)))
  return {
    act,
    frames: all.length,
    median: rounded(median(all)),
    p95: rounded(percentile(all, 95)),
    p99: rounded(worst),
  }
})
console.log(`Milliseconds between frames with ${CANDLES} candles, the worst p99 of ${ROUNDS} rounds.`)
console.table(rows)
conclude(
  rows.map(({ act, p99 }) => ({
    what: `p99 while ${act}, in ms`,
    figure: p99,
    limit: LIMIT_MS,
    must: 'not exceed',
  })),
)

/** Ends with the bar under way, which the stream continues. */
function makeBars() {
  const last = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  let price = 60_000
  return Array.from({ length: CANDLES }, (_, index) => {
    const open = price
    price += 40 * Math.sin(index / 7) + 25 * Math.cos(index / 131)
    return {
      at: new Date(last - (CANDLES - 1 - index) * MINUTE_MS).toISOString(),
      open,
      high: Math.max(open, price) + 12,
      low: Math.min(open, price) - 12,
      close: price,
      volume: 1 + (index % 17),
    }
  })
}

/** The times between frames while something is done to the chart. */
async function framesDuring(on: Page, act: (on: Page) => Promise<void>): Promise<number[]> {
  await on.evaluate(() => {
    const times: number[] = []
    const record = (at: number) => {
      times.push(at)
      if (times.length > 0) Object.assign(window, { frame: requestAnimationFrame(record) })
    }
    Object.assign(window, { times, frame: requestAnimationFrame(record) })
  })
  await act(on)
  const times = await on.evaluate(() => {
    const { times: recorded, frame } = window as unknown as { times: number[]; frame: number }
    cancelAnimationFrame(frame)
    return recorded
  })
  return times.slice(1).map((at, index) => at - (times[index] ?? at))
}

/** Drags the chart into the past and back. */
async function move(on: Page): Promise<void> {
  for (const [from, to] of [
    [600, 850],
    [850, 600],
  ] as const) {
    for (let times = 0; times < 6; times++) {
      await on.mouse.move(from, 400)
      await on.mouse.down()
      await on.mouse.move(to, 400, { steps: 30 })
      await on.mouse.up()
    }
  }
}

/** Turns the wheel out until many thousand candles are in sight, and in again. */
async function zoom(on: Page): Promise<void> {
  await on.mouse.move(700, 400)
  for (const turn of [120, -120]) {
    for (let times = 0; times < 40; times++) await on.mouse.wheel(0, turn)
  }
}
