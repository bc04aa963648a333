import type { Page } from '@playwright/test'
import { expect, test } from '#nautilus-fixtures.ts'
import { LONG } from '#tier.ts'

interface Screen {
  /** What stands on it once it has its rows. */
  loaded: readonly string[]
  /** Only over the embedded engine. */
  embedded?: readonly string[]
  /** Only over a node. */
  node?: readonly string[]
}

/** Every screen of the trader area, and all that differs over a node. The guide says why. */
const SCREENS: Readonly<Record<string, Screen>> = {
  '/trader': {
    loaded: ['table: Positions', 'table: Working orders', 'heading: Risk Metrics', 'heading: Engine Status'],
    embedded: ['button: Hide', 'heading: First steps'],
  },
  '/trader/strategies': { loaded: ['heading: Follower', 'button: Configure'] },
  '/trader/orders': { loaded: ['table: Orders', 'button: Cancel', 'button: Modify'] },
  '/trader/positions': { loaded: ['table: Positions', 'button: Close Part', 'figure: Equity'] },
  '/trader/risk': { loaded: ['heading: Risk Limits', 'figure: Max Order Size', 'button: Halt Trading'] },
  '/trader/market-data': { loaded: ['table: Depth', 'heading: Watchlist', 'heading: Create New Order'] },
  '/trader/performance': { loaded: ['heading: Stress scenarios', 'heading: By instrument'] },
  '/trader/alerts': { loaded: ['heading: Rules', 'heading: Channels'] },
  '/trader/backtesting': {
    loaded: ['heading: New run'],
    embedded: [
      'button: Run sweep',
      'button: Strategy editor',
      'field: Best by',
      'field: Random sets',
      'field: Stop after sets without a better one',
      'field: Values of Crossing threshold (bps)',
      'field: Values of Fast average (bars)',
      'field: Values of Position value',
      'field: Values of Slow average (bars)',
      'field: Walk-forward windows',
      'heading: Sweeps',
    ],
  },
}

const ENGINES = [
  { name: 'desk', instrument: 'BTCUSDT-PERP' },
  { name: 'node', instrument: 'BTCUSDT-PERP.SIM' },
] as const

/** A node may start, and a chunk may load, on a machine that does much else. */
const SLOW = { timeout: 240_000 }

test.use({ engines: { desk: 'embedded', node: 'nautilus' } })

/** Headings, tables, columns, buttons, fields, figures and tabs by their names, without ids, instruments and numbers. */
function structureOf(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? ''
    const labelOf = (field: Element) => {
      const [label] = 'labels' in field ? [...((field.labels as NodeListOf<Element> | null) ?? [])] : []
      return field.getAttribute('aria-label') ?? label?.textContent ?? ''
    }
    const all = (kind: string, selector: string, read = nameOf) =>
      [...main.querySelectorAll(selector)].map((element) => `${kind}: ${read(element)}`)
    const names = [
      ...all('heading', 'h1, h2, h3'),
      ...all('table', 'table[aria-label]'),
      ...all('column', 'th'),
      ...all('button', 'button'),
      ...all('field', 'input, select, textarea', labelOf),
      ...all('figure', 'dt'),
      ...all('tab', '[role=tab]'),
    ].map((text) =>
      text
        .replaceAll(/\b[A-Z]{2,6}USDT[-.A-Z]*\d*\b/g, 'INSTRUMENT')
        .replaceAll(/\b(?:[OPSCE]-[\w-]+|momentum-\w+)\b/g, 'ID')
        // A node's position has the id of its instrument and strategy.
        .replaceAll(/\bof (?:INSTRUMENT|ID)\b/g, 'of ROW')
        .replaceAll(/[▲▼+-]?\s*[\d.,]*\d/g, '#')
        .replaceAll(/[▲▼]/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    return [...new Set(names)].sort()
  })
}

/** The same order, position and strategy on an engine. */
async function prepare(page: Page, { name, instrument }: (typeof ENGINES)[number]): Promise<void> {
  const headers = { 'binnacle-engine': name }
  const post = async (path: string, data: object) => {
    const reply = await page.request.post(path, { data, headers })
    return { code: reply.status(), body: await reply.json() }
  }
  const market = { instrument, side: 'BUY', type: 'MARKET', quantity: 0.01, price: 0 }
  // Until a node is reached its calls are refused, and until its first quote its orders are.
  const isPlaced = async () => {
    const { code, body } = await post('/api/orders', market)
    return code === 201 && body.status !== 'REJECTED'
  }
  await expect.poll(isPlaced, SLOW).toBe(true)
  const positions = async () =>
    (await (await page.request.get('/api/positions', { headers })).json()).positions.length
  await expect.poll(positions, SLOW).toBe(1)
  expect(await post('/api/orders', { ...market, type: 'LIMIT', price: 1_000 })).toMatchObject({ code: 201 })
  const strategy = { name: 'Follower', type: 'momentum', description: '', config: { instrument } }
  expect(await post('/api/strategies', strategy)).toMatchObject({ code: 201 })
}

test(
  '[NAUT-200] every screen of the trader area is the same over a NautilusTrader node as over the embedded engine, but for the differences named here',
  LONG,
  async ({ page, context }) => {
    test.setTimeout(1_800_000)
    const pages = { desk: page, node: await context.newPage() }
    // The features of a node are fixed, and this one is on.
    const switched = await page.request.put('/api/features/advanced-analytics', { data: { enabled: true } })
    expect(switched.status(), await switched.text()).toBe(200)
    for (const engine of ENGINES) {
      await test.step(`${engine.name} has an order, a position and a strategy`, () => prepare(page, engine))
      // As after a choice in the header of that tab.
      await pages[engine.name].addInitScript(
        (name) => sessionStorage.setItem('binnacle.engine', name),
        engine.name,
      )
    }
    for (const [path, { loaded, embedded = [], node = [] }] of Object.entries(SCREENS)) {
      await test.step(path, async () => {
        for (const [name, tab] of Object.entries(pages)) {
          await tab.goto(path)
          await expect(tab.getByRole('combobox', { name: 'Engine', exact: true })).toHaveValue(name)
        }
        const comparison = async () => {
          const [ours, theirs] = [await structureOf(pages.desk), await structureOf(pages.node)]
          return {
            missing: loaded.filter((text) => !ours.includes(text) || !theirs.includes(text)),
            embedded: ours.filter((text) => !theirs.includes(text)),
            node: theirs.filter((text) => !ours.includes(text)),
          }
        }
        await expect.poll(comparison, SLOW).toEqual({ missing: [], embedded, node })
      })
    }
    await test.step('a stop-loss is set on the screen of the node', async () => {
      const tab = pages.node
      await tab.goto('/trader/positions')
      await tab.getByRole('button', { name: /^Stop-loss and take-profit of / }).click()
      const dialog = tab.getByRole('dialog', { name: 'Stop-Loss and Take-Profit' })
      await dialog.getByLabel('Stop-loss').fill('100')
      await dialog.getByRole('button', { name: 'Save Exits' }).click()
      await expect(dialog).toBeHidden()
      await expect(tab.getByRole('button', { name: /^Stop-loss and take-profit of .*: 100/ })).toBeVisible()
    })
  },
)
