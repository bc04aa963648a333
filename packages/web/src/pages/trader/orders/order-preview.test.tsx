import { orders, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal } from '#testkit/replies.ts'
import { PREVIEW } from './testkit.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, { orders: [] })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-preview'] })
  api.on(orders.preview, PREVIEW)
})

async function openForm() {
  const { user } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('button', { name: 'Create New Order' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Order' }))
  return { user, dialog, preview: within(await dialog.findByRole('region', { name: 'Preview' })) }
}

test('[ORD-54] the form shows quote and preview; without a price the quote and what is missing', async () => {
  const { user, dialog, preview } = await openForm()
  expect(await preview.findByText('49,999.50')).toBeVisible()
  expect(preview.getByText('Enter a price above 0.')).toBeVisible()
  expect(preview.queryByText('within limits')).toBeNull()
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(await preview.findByText('within limits')).toBeVisible()
  for (const text of ['$5,000.05', '$5.00', '$94,994.95', 'LONG 0.1', '20.0% → 30.0%', '1 → 2 of 10'])
    expect(preview.getByText(text)).toBeVisible()
  expect(api.calls(orders.preview).at(-1)?.body).toMatchObject({ type: 'MARKET', quantity: 0.001 })
  api.on(orders.preview, { ...PREVIEW, denied: { sentence: 'Trading is halted.' } })
  await user.type(dialog.getByLabelText('Quantity'), '5')
  expect(await preview.findByText('Trading is halted.')).toBeVisible()
  expect(preview.getByText('would be denied')).toBeVisible()
})

test('[ORD-100] terms that cannot be an order are not sent', async () => {
  const { user, dialog, preview } = await openForm()
  expect(await preview.findByText('Enter a price above 0.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Create Order' })).toBeDisabled()
  await user.type(dialog.getByLabelText('Price'), '50000')
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create Order' })).toBeEnabled())
})

test('[ORD-105] terms that the server refuses leave the quote in sight', async () => {
  const { user, dialog, preview } = await openForm()
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(await preview.findByText('within limits')).toBeVisible()
  api.answer(orders.preview, ({ body }) =>
    JSON.stringify(body).includes('"quantity":1}')
      ? Response.json(PREVIEW)
      : fieldRefusal({ quantity: 'must be a multiple of 0.00001' }),
  )
  await user.type(dialog.getByLabelText('Quantity'), '5')
  expect(await preview.findByText('Refused')).toBeVisible()
  expect(preview.getByText('49,999.50')).toBeVisible()
  expect(preview.queryByText('within limits')).toBeNull()
})

test('[ORD-102] while the server does not answer, the quote says from when it is', async () => {
  const { user, dialog, preview } = await openForm()
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(await preview.findByText('within limits')).toBeVisible()
  expect(preview.queryByText(/as of/)).toBeNull()
  api.drop(orders.preview)
  expect(await preview.findByText(/^Bid and ask as of \d\d:\d\d:\d\d UTC\.$/)).toBeVisible()
})

test('[ORD-90] until the answer to other terms is there, their figures are not shown', async () => {
  const { user, dialog, preview } = await openForm()
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(await preview.findByText('within limits')).toBeVisible()
  api.answer(orders.preview, () => new Promise<Response>(() => {}))
  await user.type(dialog.getByLabelText('Quantity'), '5')
  await waitFor(() => expect(preview.queryByText('within limits')).toBeNull())
  expect(preview.queryByText('$5,000.05')).toBeNull()
  expect(preview.getByText('49,999.50')).toBeVisible()
})

test('[ORD-55] [ORD-70] time in force and reduce-only are offered by type and sent when they are not the default', async () => {
  const { user, dialog } = await openForm()
  api.on(orders.place, {})
  const offered = () =>
    within(dialog.getByLabelText('Time in force'))
      .getAllByRole('option')
      .map((option) => option.textContent)
  expect(offered()).toEqual(['GTC', 'IOC', 'FOK'])
  await user.selectOptions(dialog.getByLabelText('Type'), 'STOP')
  expect(offered()).toEqual(['GTC'])
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(offered()).toEqual(['IOC', 'FOK'])
  expect(dialog.getByLabelText('Time in force')).toHaveValue('IOC')
  await user.selectOptions(dialog.getByLabelText('Type'), 'LIMIT')
  expect(dialog.getByLabelText('Time in force')).toHaveValue('GTC')
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  await user.selectOptions(dialog.getByLabelText('Time in force'), 'FOK')
  await user.click(dialog.getByLabelText('Reduce only'))
  await user.click(dialog.getByRole('button', { name: 'Create Order' }))
  await waitFor(() => expect(api.calls(orders.place)).toHaveLength(1))
  expect(api.calls(orders.place)[0]?.body).toMatchObject({ time_in_force: 'FOK', reduce_only: true })
})

test('[ORD-95] an order that would wait more than 20 % away from the market is remarked on', async () => {
  const waitingAt = (price: number) => ({
    ...PREVIEW,
    fill: null,
    rest: { quantity: 0.1, price, cost: 1, fee: 0 },
  })
  api.on(orders.preview, waitingAt(1_000))
  const { user, dialog, preview } = await openForm()
  await user.type(dialog.getByLabelText('Price'), '1000')
  const remark = 'It would wait at a price 98.0% away from the market. Check the price.'
  expect(await preview.findByText(remark)).toBeVisible()
  api.on(orders.preview, waitingAt(40_001))
  await user.clear(dialog.getByLabelText('Price'))
  await user.type(dialog.getByLabelText('Price'), '40001')
  expect(await preview.findByText('40,001.00 (waits)')).toBeVisible()
  expect(preview.queryByText(/away from the market/)).toBeNull()
})

test('[ORD-72] an order of which nothing would fill or wait would be cancelled', async () => {
  const nothing = { quantity: 0, price: null, cost: 0, fee: 0 }
  api.on(orders.preview, { ...PREVIEW, fill: nothing, cancelled: 0.1 })
  const { user, dialog, preview } = await openForm()
  await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
  expect(await preview.findByText('would be cancelled')).toBeVisible()
  expect(preview.queryByText('within limits')).toBeNull()
})

test('[ORD-73] without a market a denied order has the reason and no price and cost', async () => {
  const denied = { sentence: 'COINBASE is disconnected.' }
  const rest = { quantity: 0.1, price: 51_000, cost: 5_100, fee: 5.1 }
  api.on(orders.preview, { ...PREVIEW, quote: null, fill: null, rest, denied })
  const { user, dialog, preview } = await openForm()
  expect(await preview.findByText('COINBASE is disconnected.')).toBeVisible()
  expect(preview.getByText('Enter a price above 0.')).toBeVisible()
  await user.clear(dialog.getByLabelText('Price'))
  await user.type(dialog.getByLabelText('Price'), '51000')
  expect(await preview.findByText('would be denied')).toBeVisible()
  expect(preview.getByText('COINBASE is disconnected.')).toBeVisible()
  for (const label of ['Price expected', 'Cost', 'Fee', 'Margin for this order']) {
    expect(preview.getByText(label).nextElementSibling).toHaveTextContent('—')
  }
})
