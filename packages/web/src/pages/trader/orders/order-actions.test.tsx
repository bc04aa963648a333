import { orders, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anOrder } from '#testkit/trading.ts'
import { PREVIEW } from './testkit.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, {
    orders: [
      anOrder({ id: 'O-1', status: 'PENDING', type: 'LIMIT', quantity: 2, price: 150 }),
      anOrder({ id: 'O-2', status: 'FILLED' }),
    ],
  })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-control'] })
})

afterEach(clearToasts)

test('[ORD-59] Cancel All asks with the number of working orders and shows what was not cancelled', async () => {
  const { user } = renderConsole('/trader/orders')
  api.on(orders.cancelAll, {
    message: '0 of 1 order cancelled. 1 not cancelled.',
    rows: [{ id: 'O-1', instrument: 'BTCUSDT', outcome: 'refused', message: 'Order O-1 was filled first.' }],
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel All' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel all working orders?' }))
  expect(dialog.getByText('1 working order will be cancelled.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Keep Orders' }))
  expect(api.calls(orders.cancelAll)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Cancel All' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel Orders' }))
  await waitFor(() => expect(toastsOfType('warning')[0]).toContain('Order O-1 was filled first.'))
  expect(api.calls(orders.cancelAll)[0]?.body).toEqual({})
  api.drop(orders.cancelAll)
  await user.click(screen.getByRole('button', { name: 'Cancel All' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel Orders' }))
  await waitFor(() =>
    expect(toastsOfType('error').join()).toContain('No answer. The orders may have been cancelled'),
  )
})

test('[ORD-60] Modify sends what changed and shows a refusal in the form', async () => {
  const { user } = renderConsole('/trader/orders')
  api.answer(orders.modify, () => fieldRefusal({ price: 'Enter a price above 0.' }))
  await user.click(await screen.findByRole('button', { name: 'Modify' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Modify Order' }))
  await user.clear(dialog.getByLabelText('Price'))
  await user.type(dialog.getByLabelText('Price'), '0')
  await user.click(dialog.getByRole('button', { name: 'Modify Order' }))
  expect(await dialog.findByText('Enter a price above 0.')).toBeVisible()
  api.on(orders.modify, {})
  await user.clear(dialog.getByLabelText('Price'))
  await user.type(dialog.getByLabelText('Price'), '149.5')
  await user.click(dialog.getByRole('button', { name: 'Modify Order' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.calls(orders.modify).at(-1)).toMatchObject({ path: '/api/orders/O-1', body: { price: 149.5 } })
})

test('[ORD-101] Modify remarks on a price far from the market', async () => {
  api.on(service.capabilities, {
    version: 'v1.0.0',
    capabilities: ['problems', 'order-control', 'order-preview'],
  })
  api.answer(orders.preview, () =>
    Response.json({ ...PREVIEW, quote: { ...PREVIEW.quote, bid: 149, ask: 151, spread: 2 } }),
  )
  const { user } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('button', { name: 'Modify' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Modify Order' }))
  await user.clear(dialog.getByLabelText('Price'))
  await user.type(dialog.getByLabelText('Price'), '15')
  expect(await dialog.findByText('The price is 90.0% away from the market. Check the price.')).toBeVisible()
  await user.type(dialog.getByLabelText('Price'), '1')
  await waitFor(() => expect(dialog.queryByText(/away from the market/)).toBeNull())
})
