import { backtests, type Promotion, service, strategies } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['backtesting'] })
})

function show(pnl: number, trades: number) {
  const promotion: Promotion = {
    strategy: 'S-1',
    backtest: 12,
    hash: 'ab',
    promoted_at: '2026-01-01T00:00:00.000Z',
    results: [2, 2],
  }
  api.on(backtests.promotions, { promotions: [promotion] })
  const performance = { total_pnl: pnl, total_trades: trades, win_rate: 0.5 }
  api.on(strategies.list, {
    strategies: [{ id: 'S-1', name: 'Mine', type: 'momentum', status: 'running', performance }],
  })
  renderConsole('/trader/strategies')
}

test.each([
  [20, 'After 10 trades 5–95 %: +$20.00 to +$20.00within the band'],
  [19, 'After 10 trades 5–95 %: +$20.00 to +$20.00outside the band'],
])('[BT-34] a P&L of %d after ten trades of 2 shows %s', async (pnl, text) => {
  show(pnl, 10)
  const card = await screen.findByRole('region', { name: 'Mine' })
  const link = await within(card).findByRole('link', { name: 'BT-12' })
  expect(link).toHaveAttribute('href', '/trader/backtesting?run=12')
  expect(link.closest('p')).toHaveTextContent(text)
})

test('[BT-34] before the first trade there is nothing to compare', async () => {
  show(0, 0)
  expect(await screen.findByText('No trade to compare yet.')).toBeVisible()
})
