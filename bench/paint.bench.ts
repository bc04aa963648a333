import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM } from '../e2e/chromium.ts'
import { conclude, median, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/**
 * The largest paint of every screen at a processor slowed four times, from a cold cache; beside it when the screen's data
 * is painted and when the console can be used, so that no early paint of something else counts. BINNACLE_BENCH_OLD_SITE
 * names the folder of an earlier build, which is then measured in turns with this one.
 */

declare global {
  interface Window {
    times?: { data?: number; use?: number }
  }
}

const SLOWDOWN = 4
const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 3)
const LIMIT_MS = 1_000
/** After so long without a larger paint, the largest has been seen. */
const QUIET_MS = 1_500

/** By path, a text that the screen shows once it has its data. */
const SCREENS = {
  '/': 'Professional trading platform',
  '/trader': 'TRADER-001',
  '/trader/strategies': 'A new strategy is stopped',
  '/trader/orders': 'No Orders Yet',
  '/trader/positions': 'No Open Positions',
  '/trader/risk': 'orders are checked against the limits',
  '/trader/market-data': 'BINANCE · spread',
  '/admin': 'TRADER-001',
  '/admin/components': 'DataEngine',
  '/admin/database-management': 'Environment: Production',
  '/admin/api-config': 'Engine, strategies, orders',
  '/admin/db-management': 'Binnacle journal',
}

const here = resolve(import.meta.dirname, '../packages/web/dist')
const old = process.env.BINNACLE_BENCH_OLD_SITE
const sites = [...(old === undefined ? [] : [['before', old] as const]), ['now', here] as const]
for (const [, folder] of sites) {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error(`There is no built site in ${folder}: npm run build`)
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-paint-'))
const servers = await Promise.all(
  sites.map(async ([name, site]) => {
    const settings = { BINNACLE_SITE: resolve(site), BINNACLE_HISTORY_DAYS: '1' }
    return { name, server: await startServerProcess(join(folder, name), settings) }
  }),
)
const browser = await chromium.launch(CHROMIUM)

interface Times {
  /** The largest paint. */
  paint: number
  /** The screen's data is painted. */
  data: number
  /** The console can be used. */
  use: number
}

const measured = new Map<string, Times[]>()
for (let round = 0; round < ROUNDS; round++) {
  for (const [screen, text] of Object.entries(SCREENS)) {
    for (const { name, server } of servers) {
      const key = `${name} ${screen}`
      measured.set(key, [...(measured.get(key) ?? []), await open(browser, server.url + screen, text)])
    }
  }
}
await browser.close()
for (const { server } of servers) await server.end('SIGTERM')
await rm(folder, { recursive: true })

const figure = (name: string, screen: string, time: keyof Times) =>
  median(measured.get(`${name} ${screen}`)?.map((times) => times[time]) ?? [])
const TIMES = { paint: 'largest paint', data: 'data painted', use: 'usable' } as const
console.table(
  Object.fromEntries(
    Object.keys(SCREENS).map((screen) => [
      screen,
      Object.fromEntries(
        sites.flatMap(([name]) =>
          (['paint', 'data', 'use'] as const).map((time) => [
            `${name}: ${TIMES[time]}, ms`,
            rounded(figure(name, screen, time)),
          ]),
        ),
      ),
    ]),
  ),
)
conclude([
  {
    what: 'ms to the largest paint of the slowest screen',
    figure: Math.max(...Object.keys(SCREENS).map((screen) => figure('now', screen, 'paint'))),
    limit: LIMIT_MS,
    must: 'not exceed',
  },
])

async function open(browser: Browser, url: string, text: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(noteTimes, text)
  await page.goto(url)
  const isNoted = page.waitForFunction(() => Boolean(window.times?.data && window.times.use))
  // An earlier site may lack the text of a screen; its time is then left out.
  await isNoted.catch(() => undefined)
  const paint = await page.evaluate(
    (quietMs) =>
      new Promise<number>((settle) => {
        let largest = 0
        let timer = setTimeout(() => settle(largest), quietMs * 4)
        new PerformanceObserver((list) => {
          largest = list.getEntries().at(-1)?.startTime ?? largest
          clearTimeout(timer)
          timer = setTimeout(() => settle(largest), quietMs)
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
    QUIET_MS,
  )
  const { data = Number.NaN, use = Number.NaN } = (await page.evaluate(() => window.times)) ?? {}
  await context.close()
  return { paint, data, use }
}

/** Runs in the page: looks at every frame for the text and for the started console. */
function noteTimes(text: string): void {
  const times: NonNullable<typeof window.times> = {}
  window.times = times
  // What is there before a frame is painted with it, so the next one is after the paint.
  let isShown = false
  let isStarted = false
  const look = () => {
    const now = performance.now()
    if (isShown) times.data ??= now
    if (isStarted) times.use ??= now
    const root = document.getElementById('root')
    isShown ||= root?.querySelector('main')?.textContent.includes(text) ?? false
    isStarted ||= root?.hasAttribute('inert') === false && root.querySelector('main') !== null
    if (times.data === undefined || times.use === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
