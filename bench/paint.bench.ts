import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM } from '../e2e/chromium.ts'
import { conclude, median, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/**
 * The largest paint of every screen at a processor slowed four times, from a cold cache. BINNACLE_BENCH_OLD_SITE names the
 * folder of an earlier build, which is then measured in turns with this one.
 */

const SLOWDOWN = 4
const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 3)
const LIMIT_MS = 1_000
/** After so long without a larger paint, the largest has been seen. */
const QUIET_MS = 1_500

const SCREENS = [
  '/',
  '/trader',
  '/trader/strategies',
  '/trader/orders',
  '/trader/positions',
  '/trader/risk',
  '/trader/market-data',
  '/admin',
  '/admin/components',
  '/admin/database-management',
  '/admin/api-config',
  '/admin/db-management',
]

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

const paints = new Map<string, number[]>()
for (let round = 0; round < ROUNDS; round++) {
  for (const screen of SCREENS) {
    for (const { name, server } of servers) {
      const key = `${name} ${screen}`
      paints.set(key, [...(paints.get(key) ?? []), await largestPaint(browser, server.url + screen)])
    }
  }
}
await browser.close()
for (const { server } of servers) await server.end('SIGTERM')
await rm(folder, { recursive: true })

const figure = (name: string, screen: string) => median(paints.get(`${name} ${screen}`) ?? [])
console.table(
  Object.fromEntries(
    SCREENS.map((screen) => [
      screen,
      Object.fromEntries(sites.map(([name]) => [`${name}, ms`, rounded(figure(name, screen))])),
    ]),
  ),
)
conclude([
  {
    what: 'ms to the largest paint of the slowest screen',
    figure: Math.max(...SCREENS.map((screen) => figure('now', screen))),
    limit: LIMIT_MS,
    must: 'not exceed',
  },
])

async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto(url)
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
  await context.close()
  return paint
}
