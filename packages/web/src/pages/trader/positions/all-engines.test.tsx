import { type EngineEntry, engines, orders, positions, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi, type RecordedCall } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const ENTRY: EngineEntry = {
  name: 'desk',
  kind: 'embedded',
  is_default: true,
  mode: 'simulated',
  state: 'running',
  reason: null,
  trading_state: 'ACTIVE',
  age_s: 0,
}
const POSITION = {
  id: 'P-1',
  instrument: 'BTCUSDT',
  side: 'LONG',
  quantity: 0.5,
  entry_price: 100,
  current_price: 110,
  unrealized_pnl: 5,
  realized_pnl: 1,
}
const ORDER = {
  id: 'O-1',
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: 1,
  price: 90,
  filled_qty: 0,
  status: 'PENDING',
}

let api: FakeApi
const engineOf = ({ headers }: RecordedCall) => headers['binnacle-engine']

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['engines', 'problems'] })
  api.on(engines.list, { engines: [ENTRY, { ...ENTRY, name: 'tokyo', is_default: false }] })
  api.on(positions.list, (call) => ({
    positions: [engineOf(call) === 'tokyo' ? { ...POSITION, unrealized_pnl: -7.5 } : POSITION],
  }))
  api.on(orders.list, (call) => ({
    orders: [ORDER, { ...ORDER, id: 'O-2', status: 'FILLED', price: engineOf(call) === 'tokyo' ? 80 : 90 }],
  }))
})

afterEach(clearToasts)

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map(({ textContent }) => textContent)
        .join(' '),
    )

test('[ENGS-17] the positions of all engines are together, with an engine column and sums', async () => {
  const { user } = renderConsole('/trader/positions')
  await user.click(await screen.findByRole('link', { name: 'All engines' }))
  const table = await screen.findByRole('table', { name: 'Positions of All Engines' })
  await waitFor(() => expect(rowsOf(table)).toEqual(['desk P-1 BTCUSDT', 'tokyo P-1 BTCUSDT']))
  // The figures before the table.
  const sums = screen.getAllByText(/^-\$2\.50$/)
  expect(sums).toHaveLength(1)
})

test('[ENGS-17] a close goes to the engine of its row', async () => {
  api.on(positions.close, {})
  const { user } = renderConsole('/trader/positions?engines=all')
  const table = await screen.findByRole('table', { name: 'Positions of All Engines' })
  await waitFor(() => expect(rowsOf(table)).toHaveLength(2))
  const row = within(table).getByRole('row', { name: /tokyo/ })
  await user.click(within(row).getByRole('button', { name: 'Close' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('tokyo: LONG 0.5 BTCUSDT')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Close Position' }))
  await waitFor(() => expect(api.calls(positions.close).map(engineOf)).toEqual(['tokyo']))
})

test('[ENGS-17] an engine that does not answer is named, and the rows of the others stay', async () => {
  api.answer(positions.list, (call) =>
    engineOf(call) === 'tokyo' ? new Response('', { status: 503 }) : Response.json({ positions: [POSITION] }),
  )
  renderConsole('/trader/positions?engines=all')
  const table = await screen.findByRole('table', { name: 'Positions of All Engines' })
  expect(rowsOf(table)).toEqual(['desk P-1 BTCUSDT'])
  expect(await screen.findByText(/^tokyo does not answer\./)).toBeVisible()
})

test('[ENGS-17] the working orders of all engines are together, and a cancel goes to the engine of its row', async () => {
  api.drop(orders.cancel)
  const { user } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('link', { name: 'All engines' }))
  const table = await screen.findByRole('table', { name: 'Working Orders of All Engines' })
  await waitFor(() => expect(rowsOf(table)).toEqual(['desk O-1 BTCUSDT', 'tokyo O-1 BTCUSDT']))
  const row = within(table).getByRole('row', { name: /tokyo/ })
  await user.click(within(row).getByRole('button', { name: 'Cancel' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Cancel Order' }))
  await waitFor(() => expect(api.calls(orders.cancel).map(engineOf)).toEqual(['tokyo']))
  await waitFor(() => expect(toastsOfType('error')[0]).toContain('tokyo/O-1'))
})
