import { orders, positions } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FakeApi } from '#testkit/fake-api.ts'
import { createMarketDataApi, forgetMarketData, openMarketData } from '#testkit/market-data.ts'
import { anOrder, aPosition } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createMarketDataApi()
})

afterEach(forgetMarketData)

describe('what is held in the instrument of the chart', () => {
  test('[MKT-32] working orders, position and fills of the instrument are listed', async () => {
    api.on(orders.list, {
      orders: [
        anOrder({ id: 'O-1', price: 66_800 }),
        anOrder({ id: 'O-2', instrument: 'ETHUSDT' }),
        anOrder({ id: 'O-3', status: 'FILLED' }),
      ],
    })
    api.on(positions.list, { positions: [aPosition(), aPosition({ id: 'P-2', instrument: 'ETHUSDT' })] })
    const { user } = await openMarketData()
    const tab = await screen.findByRole('tab', { name: 'Working orders 1' })
    expect(tab).toHaveAttribute('aria-selected', 'true')
    expect(screen.getByRole('table', { name: 'Working orders' })).toHaveTextContent(
      'O-1BUYLIMIT0.2566,800.00',
    )
    await user.click(screen.getByRole('tab', { name: 'Position 1' }))
    expect(screen.getByRole('table', { name: 'Position' })).toHaveTextContent('LONG0.1566,000.00')
  })

  test('[ORD-60] an order whose change is pending offers Cancel only', async () => {
    const change = { quantity: 1, price: 67_000 }
    api.on(orders.list, { orders: [anOrder({ id: 'O-1', pending_change: change })] })
    await openMarketData()
    const table = within(await screen.findByRole('table', { name: 'Working orders' }))
    expect(table.getByRole('button', { name: 'Cancel' })).toBeEnabled()
    expect(table.queryByRole('button', { name: 'Modify' })).toBeNull()
  })

  test('[POS-12] a position whose P&L is shown as 0.00 is neutral', async () => {
    api.on(positions.list, { positions: [aPosition({ unrealized_pnl: -0.001 })] })
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('tab', { name: 'Position 1' }))
    const table = within(screen.getByRole('table', { name: 'Position' }))
    expect(table.getByText('$0.00')).toHaveAttribute('data-tone', 'calm')
  })

  test('[MKT-38] an order is modified from its row, after the form is confirmed', async () => {
    api.on(orders.list, { orders: [anOrder({ id: 'O-1', price: 66_800 })] })
    api.on(orders.modify, anOrder({ id: 'O-1', price: 66_750 }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Modify' }))
    const form = within(await screen.findByRole('dialog', { name: 'Modify Order' }))
    expect(form.getByText('was 66,800.00')).toBeVisible()
    await user.clear(form.getByRole('spinbutton', { name: 'Price' }))
    await user.type(form.getByRole('spinbutton', { name: 'Price' }), '66750')
    expect(api.calls(orders.modify)).toHaveLength(0)
    await user.click(form.getByRole('button', { name: 'Modify Order' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(orders.modify).map(({ body }) => body)).toEqual([{ price: 66_750 }])
  })
})
