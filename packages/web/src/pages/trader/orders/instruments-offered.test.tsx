import { instruments, orders, service, strategies } from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

const bitcoin = { id: 'BTCUSDT', venue: 'BINANCE', kind: 'spot' }
const sizes = { tick_size: 0.01, lot_size: 0.00001, min_quantity: 0.0001 }

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, { orders: [] })
  api.on(strategies.list, { strategies: [] })
  api.on(instruments.list, {
    instruments: [
      { ...bitcoin, ...sizes },
      { id: 'ETHUSDT.BYBIT', venue: 'BYBIT', kind: 'perpetual' },
    ],
  })
})

async function openDialog() {
  const { user } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('button', { name: 'Create New Order' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Order' }))
  return { dialog, instrument: dialog.getByLabelText('Instrument') }
}

function offeredBy(field: HTMLElement) {
  const { list } = field as HTMLInputElement
  return list && [...list.options].map(({ value, label }) => [value, label])
}

describe('the instruments of an order', () => {
  test('[ORD-17] [ORD-25] a live backend has its instruments offered, and its sizes said', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    const { dialog, instrument } = await openDialog()
    await waitFor(() =>
      expect(offeredBy(instrument)).toEqual([
        ['BTCUSDT', 'BINANCE spot'],
        ['ETHUSDT.BYBIT', 'BYBIT perpetual'],
      ]),
    )
    expect(dialog.getByText('BINANCE spot')).toBeVisible()
    expect(dialog.getByText('Min 0.0001, step 0.00001')).toBeVisible()
    expect(dialog.getByText('Step 0.01')).toBeVisible()
    fireEvent.change(instrument, { target: { value: 'DOGEUSDT' } })
    expect(instrument).toHaveValue('DOGEUSDT')
    expect(dialog.getByText('This instrument cannot be traded here.')).toBeVisible()
    expect(dialog.queryByText(/in steps of/i)).toBeNull()
  })

  test('[NAUT-135] an engine without BTCUSDT begins a new order with the first instrument that it lists', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [{ id: 'BTCUSDT-PERP.SIM', venue: 'SIM', kind: 'perpetual' }] })
    const { instrument } = await openDialog()
    await waitFor(() => expect(instrument).toHaveValue('BTCUSDT-PERP.SIM'))
    fireEvent.change(instrument, { target: { value: 'BTCUSDT' } })
    expect(instrument).toHaveValue('BTCUSDT')
  })

  test('[ORD-17] in the baseline the instrument is plain text and no list is requested', async () => {
    const { dialog, instrument } = await openDialog()
    expect(instrument).toHaveRole('textbox')
    expect(dialog.queryByText(/in steps of/i)).toBeNull()
    expect(api.calls(instruments.list)).toEqual([])
  })
})
