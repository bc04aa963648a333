import { expect, type Locator, type Page } from '@playwright/test'
import { control } from '#pages/control.ts'
import { AlertsPage } from '#pages/trader/alerts.ts'
import { BacktestingPage } from '#pages/trader/backtesting.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { RiskPage } from '#pages/trader/risk.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { type Api, type Entry, nextNumber } from './api.ts'
import type { LostCommand } from './command.ts'

export const TRADER_COMMANDS: readonly LostCommand[] = [
  {
    name: 'Create Order',
    call: 'POST /api/orders',
    prepare: async () => (0.001 + nextNumber() / 100_000).toFixed(5),
    open: async (page, quantity) => {
      const orders = new OrdersPage(page)
      await orders.open()
      await orders.openForm()
      await orders.field('Quantity').fill(quantity)
      await orders.field('Price').fill('31234.5')
    },
    press: (page) => new OrdersPage(page).submit(),
    says: 'No answer. The order may have been placed',
    count: (api, quantity) =>
      api.countListed('/api/orders', 'orders', (order) => order.quantity === Number(quantity)),
  },
  {
    name: 'Cancel of an order',
    call: 'DELETE /api/orders/:id',
    prepare: placeOrder,
    open: (page) => new OrdersPage(page).open(),
    press: async (page, id) => {
      const orders = new OrdersPage(page)
      await orders.cancel(id).click()
      await orders.cancelQuestion.yes()
    },
    says: /No answer\. Order \S+ may have been cancelled/,
  },
  {
    name: 'Modify of an order',
    call: 'PATCH /api/orders/:id',
    prepare: placeOrder,
    open: async (page, id) => {
      const orders = new OrdersPage(page)
      await orders.open()
      await control(orders.order(id), /^modify/i).click()
      await page.getByRole('dialog', { name: 'Modify Order' }).getByLabel('Price').fill('29900')
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Modify Order' }).click(),
    says: 'No answer. The order may have been changed',
  },
  {
    name: 'Cancel All',
    call: 'POST /api/orders/cancel-all',
    prepare: placeOrder,
    open: (page) => new OrdersPage(page).open(),
    press: async (page) => {
      await new OrdersPage(page).control('Cancel All').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel Orders' }).click()
    },
    says: 'No answer. The orders may have been cancelled',
  },
  {
    name: 'Upload of market data',
    call: 'POST /api/market/data-sets/uploads',
    timeoutMs: 15 * 60_000,
    open: openImport,
    press: chooseFile,
    says: 'No answer. The file was not imported; choose it again.',
  },
  {
    name: 'Check of market data',
    call: 'POST /api/market/data-sets',
    open: async (page) => {
      await openImport(page)
      await chooseFile(page)
      await expect(importDialog(page).getByLabel('Instrument')).toHaveValue('ETHUSDT')
    },
    press: (page) => importDialog(page).getByRole('button', { name: 'Check File' }).click(),
    says: 'No answer. The import may be running',
  },
  {
    name: 'Close Part of a position',
    call: 'POST /api/positions/:id/close',
    prepare: openPosition,
    open: async (page, id) => {
      const positions = new PositionsPage(page)
      await positions.open()
      await control(positions.position(id), /^close part/i).click()
      await page
        .getByRole('dialog')
        .getByLabel('Quantity')
        .fill(String(partOf(id)))
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Close Part' }).click(),
    says: 'No answer. The part may have been closed',
    count: (api, id) => countSold(api, partOf(id)),
    cleanUp: closeEverything,
  },
  {
    name: 'Exit prices of a position',
    call: 'PATCH /api/positions/:id/exits',
    prepare: openPosition,
    open: async (page, id) => {
      const positions = new PositionsPage(page)
      await positions.open()
      await positions.exits(id).click()
      await page.getByRole('dialog').getByLabel('Stop-loss').fill('100')
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Save Exits' }).click(),
    says: 'No answer. The exit prices may have been saved',
    cleanUp: closeEverything,
  },
  {
    name: 'Close All',
    call: 'POST /api/positions/close-all',
    prepare: openPosition,
    open: (page) => new PositionsPage(page).open(),
    press: async (page) => {
      await new PositionsPage(page).control('Close All').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close Positions' }).click()
    },
    says: 'No answer. Positions may have been closed',
    removesButton: true,
    count: countClosing,
  },
  {
    name: 'Close of a position',
    call: 'POST /api/positions/:id/close',
    prepare: openPosition,
    open: (page) => new PositionsPage(page).open(),
    press: async (page, id) => {
      const positions = new PositionsPage(page)
      await positions.close(id).click()
      await positions.closeQuestion.yes()
    },
    says: /No answer\. Position \S+ may have been closed/,
    removesButton: true,
    count: countClosing,
  },
  {
    name: 'Add Strategy',
    call: 'POST /api/strategies',
    prepare: async () => `Lost ${nextNumber()}`,
    open: async (page, name) => {
      const strategies = new StrategiesPage(page)
      await strategies.open()
      await strategies.openForm()
      await strategies.form.getByLabel('Name').fill(name)
    },
    press: (page) => new StrategiesPage(page).submit.click(),
    says: 'No answer. The strategy may have been added',
    count: (api, name) => api.countListed('/api/strategies', 'strategies', (known) => known.name === name),
  },
  {
    name: 'Run of a backtest',
    call: 'POST /api/nautilus/backtest',
    prepare: async () => String(20_000 + nextNumber()),
    open: async (page, capital) => {
      const lab = new BacktestingPage(page)
      await lab.open()
      await lab.form.getByRole('button', { name: 'All recorded' }).click()
      await lab.form.getByLabel('Capital').fill(capital)
    },
    press: (page) => new BacktestingPage(page).form.getByRole('button', { name: 'Run', exact: true }).click(),
    says: 'No answer. The run may have been queued',
    count: (api, capital) =>
      api.countListed('/api/nautilus/backtests', 'backtests', ({ request }) =>
        JSON.stringify(request).includes(`"initial_cash":${capital},`),
      ),
  },
  {
    name: 'Re-run of a backtest',
    call: 'POST /api/nautilus/backtest/:id/rerun',
    prepare: runBacktest,
    open: (page, id) => new BacktestingPage(page).openRun(id),
    press: (page) => new BacktestingPage(page).result.getByRole('button', { name: 'Re-run' }).click(),
    says: /No answer\. The re-run of BT-\d+ may have been queued/,
    count: (api, id) =>
      api.countListed('/api/nautilus/backtests', 'backtests', (run) => String(run.rerun_of) === id),
  },
  {
    name: 'Save of a strategy module',
    call: 'PUT /api/strategy-modules/:name',
    prepare: async () => `lost-${nextNumber()}.ts`,
    open: async (page, name) => {
      await page.goto(`/trader/backtesting?module=${name}`)
      await page.getByRole('textbox', { name: `Source of ${name}` }).waitFor()
    },
    press: (page) =>
      page
        .getByRole('region', { name: 'Strategy editor' })
        .getByRole('button', { name: 'Save', exact: true })
        .click(),
    says: 'No answer. The module may have been saved',
  },
  {
    name: 'Run of a sweep',
    call: 'POST /api/nautilus/sweeps',
    prepare: async () => String(30_000 + nextNumber()),
    open: async (page, capital) => {
      const lab = new BacktestingPage(page)
      await lab.open()
      await lab.form.getByRole('button', { name: 'All recorded' }).click()
      await lab.form.getByLabel('Capital').fill(capital)
      await lab.openSweep()
      await lab.form.getByLabel('Values of Position value').fill('100, 200')
    },
    press: (page) =>
      new BacktestingPage(page).form.getByRole('button', { name: 'Run sweep, 2 runs' }).click(),
    says: 'No answer. The sweep may have been queued',
    count: (api, capital) =>
      api.countListed('/api/nautilus/sweeps', 'sweeps', ({ request }) =>
        JSON.stringify(request).includes(`"initial_cash":${capital},`),
      ),
  },
  {
    name: 'Cancel of a sweep',
    call: 'POST /api/nautilus/sweeps/:id/cancel',
    prepare: runSweep,
    open: async (page, id) => {
      // A short sweep ends before its button can be pressed, so the list shows it as it was before.
      await page.route('**/api/nautilus/sweeps', async (route) => {
        if (route.request().method() !== 'GET') return route.fallback()
        const { sweeps } = await (await route.fetch()).json()
        const shown = sweeps.map((sweep: Entry) =>
          String(sweep.id) === id ? { ...sweep, status: 'running' } : sweep,
        )
        await route.fulfill({ json: { sweeps: shown } })
      })
      await new BacktestingPage(page).open()
    },
    press: (page, id) => page.getByRole('button', { name: `Cancel SW-${id}`, exact: true }).click(),
    says: /No answer\. SW-\d+ may have been cancelled/,
  },
  {
    name: 'Archive of a backtest',
    call: 'PUT /api/nautilus/backtest/:id/labels',
    prepare: runBacktest,
    open: (page, id) => new BacktestingPage(page).openRun(id),
    press: (page) => new BacktestingPage(page).result.getByRole('button', { name: 'Archive' }).click(),
    says: /No answer\. BT-\d+ may have been changed/,
  },
  {
    name: 'Promote of a backtest',
    call: 'POST /api/nautilus/backtest/:id/promote',
    prepare: runBacktest,
    open: async (page, id) => {
      const lab = new BacktestingPage(page)
      await lab.openRun(id)
      await lab.result.getByRole('button', { name: 'Promote' }).click()
      await lab.promotion.getByLabel('Name').fill(`Promoted ${id}`)
    },
    press: (page) =>
      new BacktestingPage(page).promotion.getByRole('button', { name: 'Add Strategy' }).click(),
    says: 'No answer. The strategy may have been added',
    count: (api, id) =>
      api.countListed('/api/strategies', 'strategies', ({ name }) => name === `Promoted ${id}`),
  },
  {
    name: 'Cancel of a backtest',
    call: 'POST /api/nautilus/backtest/:id/cancel',
    prepare: runBacktest,
    open: async (page, id) => {
      // A run over one day ends before its button can be pressed, so the list shows it as it was before.
      await page.route('**/api/nautilus/backtests?*', async (route) => {
        const { backtests } = await (await route.fetch()).json()
        const shown = backtests.map((run: Entry) =>
          String(run.id) === id ? { ...run, status: 'running', result: null } : run,
        )
        await route.fulfill({ json: { backtests: shown } })
      })
      await new BacktestingPage(page).open()
    },
    press: (page, id) => page.getByRole('button', { name: `Cancel BT-${id}`, exact: true }).click(),
    says: /No answer\. BT-\d+ may have been cancelled/,
  },
  ...(
    [
      ['start', 'POST /api/strategies/:id/start'],
      ['stop', 'POST /api/strategies/:id/stop'],
    ] as const
  ).map(
    ([act, call]): LostCommand => ({
      name: `${act} of a strategy`,
      call,
      prepare: (api) => addStrategy(api, act === 'stop'),
      open: (page) => new StrategiesPage(page).open(),
      press: (page, name) => new StrategiesPage(page).action(name, new RegExp(`^${act}`, 'i')).click(),
      says: /No answer\. Lost \d+ may have been (started|stopped)/,
    }),
  ),
  {
    name: 'Configure of a strategy',
    call: 'PUT /api/strategies/:id',
    prepare: (api) => addStrategy(api, false),
    open: async (page, name) => {
      const strategies = new StrategiesPage(page)
      await strategies.open()
      await strategies.action(name, /^configure/i).click()
    },
    press: (page) => page.getByRole('button', { name: 'Save Settings' }).click(),
    says: 'No answer. The settings may have been saved',
  },
  {
    name: 'Rename of a strategy',
    call: 'PUT /api/strategies/:id/name',
    prepare: (api) => addStrategy(api, false),
    open: async (page, name) => {
      const strategies = new StrategiesPage(page)
      await strategies.open()
      await strategies.action(name, /^details/i).click()
      await page.getByRole('complementary', { name }).getByLabel('Name').fill(`${name} renamed`)
    },
    press: (page) => page.getByRole('button', { name: 'Rename' }).click(),
    says: 'No answer. The strategy may have been renamed',
  },
  {
    name: 'Loss limit of a strategy',
    call: 'PUT /api/strategies/:id/loss-limit',
    prepare: (api) => addStrategy(api, false),
    open: async (page, name) => {
      const strategies = new StrategiesPage(page)
      await strategies.open()
      await strategies.action(name, /^details/i).click()
      await page.getByRole('complementary', { name }).getByLabel('Loss limit').fill('250')
    },
    press: (page) => page.getByRole('button', { name: 'Save Loss Limit' }).click(),
    says: 'No answer. The loss limit may have been saved',
  },
  {
    name: 'Delete of a strategy',
    call: 'DELETE /api/strategies/:id',
    prepare: (api) => addStrategy(api, false),
    open: (page) => new StrategiesPage(page).open(),
    press: async (page, name) => {
      const strategies = new StrategiesPage(page)
      await strategies.action(name, /^delete/i).click()
      await strategies.deleteQuestion.yes()
    },
    says: /No answer\. Lost \d+ may have been deleted/,
  },
  {
    name: 'Save of the limits',
    call: 'POST /api/risk/limits',
    open: async (page) => {
      const risk = new RiskPage(page)
      await risk.open()
      await risk.limitAction('Edit Limits').click()
    },
    press: (page) => new RiskPage(page).limitAction('Save').click(),
    says: 'No answer. The limits may have been saved',
  },
  tradingState('HALTED', 'Halt Trading', 'No answer. Trading may have been halted'),
  tradingState('REDUCING', 'Reduce Only', 'No answer. Trading may have become reduce-only'),
  tradingState('ACTIVE', 'Resume Trading', 'No answer. Trading may have been resumed'),
  {
    ...tradingState('ACTIVE', 'Resume Trading', 'No answer. Trading may have been resumed'),
    name: 'Resume Trading in the bar',
    press: async (page) => {
      const bar = page.getByRole('region', { name: 'Trading restricted' })
      await bar.getByRole('button', { name: 'Resume Trading' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Resume Trading' }).click()
    },
  },
  {
    ...tradingState('REDUCING', 'Reduce Only', 'No answer. Trading may have become reduce-only'),
    name: 'Reduce Only of the emergency control',
    open: openEmergency,
    press: (page) => emergencyOf(page).getByRole('button', { name: 'Reduce Only' }).click(),
  },
  {
    ...tradingState('HALTED', 'Halt Trading', 'No answer. Trading may have been halted'),
    name: 'HALT of the emergency control',
    open: openEmergency,
    press: (page) => typeWord(page, 'HALT'),
  },
  {
    name: 'CLOSE ALL of the emergency control',
    call: 'POST /api/emergency',
    prepare: openPosition,
    open: openEmergency,
    press: (page) => typeWord(page, 'CLOSE ALL'),
    says: 'No answer. Closing everything may have begun',
    removesButton: true,
    count: countClosing,
    cleanUp: becomeFlat,
  },
  {
    name: 'Stop closing of the emergency control',
    call: 'POST /api/emergency/end',
    prepare: async (api) => {
      const id = await openPosition(api)
      // Nothing can be closed, so that closing goes on.
      await api.post('/api/component/stop', { component: 'ExecutionEngine' })
      await api.post('/api/emergency')
      return id
    },
    open: openEmergency,
    press: (page) => emergencyOf(page).getByRole('button', { name: 'Stop closing' }).click(),
    says: 'No answer. Closing may have been ended',
    // With the component running, closing everything ends by itself.
    cleanUp: async (api) => {
      await api.post('/api/component/start', { component: 'ExecutionEngine' })
      await closeEverything(api)
    },
  },
  {
    name: 'Acknowledge of an alert',
    call: 'POST /api/alerts/:id/acknowledge',
    prepare: raiseAlert,
    open: (page) => new AlertsPage(page).open(),
    press: (page) => page.getByRole('button', { name: 'Acknowledge Test alert' }).first().click(),
    says: /No answer\. Alert \d+ may have been changed/,
  },
  {
    name: 'Resolve of an alert',
    call: 'POST /api/alerts/:id/resolve',
    prepare: raiseAlert,
    open: (page) => new AlertsPage(page).open(),
    press: (page) => page.getByRole('button', { name: 'Resolve Test alert' }).first().click(),
    says: /No answer\. Alert \d+ may have been changed/,
  },
  {
    name: 'Snooze of an alert',
    call: 'POST /api/alerts/:id/snooze',
    prepare: raiseAlert,
    open: (page) => new AlertsPage(page).open(),
    press: (page) => page.getByRole('button', { name: 'Snooze 1 h Test alert' }).first().click(),
    says: /No answer\. Alert \d+ may have been changed/,
  },
  {
    name: 'Mute for',
    call: 'POST /api/alerts/mute',
    open: async (page) => {
      await new AlertsPage(page).open()
      await page.getByRole('button', { name: 'Mute for…' }).click()
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: '15 min' }).click(),
    says: 'No answer. The alerts may have been muted',
    cleanUp: (api) => api.post('/api/alerts/mute', { seconds: 0 }),
  },
  {
    name: 'Send test of the channels',
    call: 'POST /api/alerts/channels/test',
    prepare: async (api) => String(await countTests(api)),
    open: (page) => new AlertsPage(page).open(),
    press: (page) => page.getByRole('button', { name: 'Send test' }).click(),
    says: 'No answer. The test alert may have been sent',
    count: async (api, before) => (await countTests(api)) - Number(before),
  },
  {
    name: 'Save of a new rule',
    call: 'POST /api/alerts/rules',
    prepare: async () => `Lost rule ${nextNumber()}`,
    open: async (page, name) => {
      const alerts = new AlertsPage(page)
      await alerts.open()
      await alerts.newRule(name, '9000000')
    },
    press: (page) => new AlertsPage(page).form('New rule').getByRole('button', { name: 'Save rule' }).click(),
    says: 'No answer. The rule may have been saved',
    count: (api, name) => api.countListed('/api/alerts/rules', 'rules', (rule) => rule.name === name),
  },
  {
    name: 'Save of a changed rule',
    call: 'PUT /api/alerts/rules/:id',
    prepare: addRule,
    open: async (page, name) => {
      const alerts = new AlertsPage(page)
      await alerts.open()
      await alerts.main.getByRole('button', { name, exact: true }).click()
    },
    press: (page, name) => new AlertsPage(page).form(name).getByRole('button', { name: 'Save rule' }).click(),
    says: 'No answer. The rule may have been saved',
  },
  {
    name: 'Delete of a rule',
    call: 'DELETE /api/alerts/rules/:id',
    prepare: addRule,
    open: async (page, name) => {
      const alerts = new AlertsPage(page)
      await alerts.open()
      await alerts.main.getByRole('button', { name, exact: true }).click()
    },
    press: async (page) => {
      await new AlertsPage(page).main.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    says: 'No answer. The rule may have been deleted',
  },
  {
    name: 'Save of the outside watcher',
    call: 'PUT /api/alerts/heartbeat',
    open: async (page) => {
      await new AlertsPage(page).open()
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Address').fill('http://127.0.0.1:9/ping')
    },
    press: (page) =>
      page.getByRole('form', { name: 'Outside watcher' }).getByRole('button', { name: 'Save' }).click(),
    says: 'No answer. The watcher may have been changed',
  },
]

async function openEmergency(page: Page): Promise<void> {
  await new RiskPage(page).open()
  await page.getByRole('button', { name: 'Emergency', exact: true }).click()
}

function emergencyOf(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Emergency control' })
}

async function typeWord(page: Page, word: string): Promise<void> {
  const field = emergencyOf(page).getByLabel(/^Or type/)
  await field.fill(word)
  await field.press('Enter')
}

async function closeEverything(api: Api): Promise<void> {
  await api.post('/api/emergency')
  await becomeFlat(api)
}

/** Waits until everything is closed, and resumes trading. */
async function becomeFlat(api: Api): Promise<void> {
  const isActive = async () => (await api.get('/api/emergency')).is_active
  await expect.poll(isActive, 'closing everything').toBe(false)
  await api.post('/api/trading-state', { state: 'ACTIVE' })
}

function tradingState(state: string, button: string, says: string): LostCommand {
  return {
    name: button,
    call: 'POST /api/trading-state',
    prepare: async (api) => {
      await api.post('/api/trading-state', { state: 'ACTIVE' })
      if (state === 'ACTIVE') await api.post('/api/trading-state', { state: 'REDUCING' })
      return state
    },
    open: (page) => new RiskPage(page).open(),
    press: async (page) => {
      await new RiskPage(page).card('Trading State').getByRole('button', { name: button }).click()
      await page.getByRole('dialog').getByRole('button', { name: button }).click()
    },
    says,
  }
}

/** Every position has a quantity of its own, by which its closing orders are known. */
const quantities = new Map<string, number>()

async function openPosition(api: Api): Promise<string> {
  await api.post('/api/trading-state', { state: 'ACTIVE' })
  const quantity = Number((1 + nextNumber() / 100).toFixed(2))
  await api.post('/api/orders', { instrument: 'SOLUSDT', side: 'BUY', type: 'MARKET', quantity })
  const find = async (): Promise<string | undefined> => {
    const { positions } = await api.get('/api/positions')
    return positions.find((position: { quantity: number }) => position.quantity === quantity)?.id
  }
  await expect.poll(find, 'the position, once its order is filled').toBeDefined()
  const id = String(await find())
  quantities.set(id, quantity)
  return id
}

async function placeOrder(api: Api): Promise<string> {
  const terms = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 30_000 }
  return (await api.post('/api/orders', terms)).id
}

/** What its quantity has beyond 1, which no other position has. */
function partOf(id: string): number {
  return Number(((quantities.get(id) ?? 0) - 1).toFixed(2))
}

function countClosing(api: Api, id: string): Promise<number> {
  return countSold(api, quantities.get(id) ?? 0)
}

function countSold(api: Api, quantity: number): Promise<number> {
  return api.countListed(
    '/api/orders',
    'orders',
    (order) => order.side === 'SELL' && order.quantity === quantity,
  )
}

async function addStrategy(api: Api, isStarted: boolean): Promise<string> {
  const name = `Lost ${nextNumber()}`
  const strategy = { name, type: 'mean_reversion', description: '', config: {} }
  const { id } = await api.post('/api/strategies', strategy)
  if (isStarted) await api.post(`/api/strategies/${id}/start`)
  return name
}

async function runSweep(api: Api): Promise<string> {
  const { recorded } = await api.get('/api/nautilus/backtests/recorded')
  const [{ instrument, from, to }] = recorded
  const base = { strategy: { type: 'momentum', config: {} }, instrument, from, to }
  const parameters = { fast_bars: { values: [5, 10] } }
  const { id } = await api.post('/api/nautilus/sweeps', { base, parameters })
  return String(id)
}

async function runBacktest(api: Api): Promise<string> {
  const { recorded } = await api.get('/api/nautilus/backtests/recorded')
  const [{ instrument, from, to }] = recorded
  const strategy = { type: 'momentum', config: {} }
  const { id } = await api.post('/api/nautilus/backtest', { strategy, instrument, from, to })
  return String(id)
}

function importDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Import Market Data' })
}

async function openImport(page: Page): Promise<void> {
  await page.goto('/trader/market-data?instrument=ETHUSDT&interval=1m')
  await page.getByRole('button', { name: 'Import' }).click()
}

async function chooseFile(page: Page): Promise<void> {
  const bars = Array.from({ length: 5 }, (_, minute) =>
    [Date.UTC(2024, 0, 1, 0, minute), 2000, 2100, 1900, 2050, 1.5].join(','),
  )
  const file = { name: 'ETHUSDT-1m.csv', mimeType: 'text/csv', buffer: Buffer.from(bars.join('\n')) }
  await importDialog(page).getByLabel('File').setInputFiles(file)
}

async function raiseAlert(api: Api): Promise<string> {
  return String((await api.post('/api/alerts/channels/test')).id)
}

function countTests(api: Api): Promise<number> {
  return api.countListed('/api/alerts', 'alerts', (alert) => alert.title === 'Test alert')
}

/** A rule that never fires. */
async function addRule(api: Api): Promise<string> {
  const name = `Lost rule ${nextNumber()}`
  const price = { watch: 'price', subject: 'BTCUSDT', threshold: 9e6, clear: 9e6 }
  await api.post('/api/alerts/rules', { name, ...price })
  return name
}
