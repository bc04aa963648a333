import { orders } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { anOrder } from '#testkit/trading.ts'

let api: FakeApi
let latest: ReturnType<typeof anOrder>[]

beforeEach(() => {
  api = createFakeApi()
  latest = [anOrder({ id: 'O-3', status: 'FILLED' })]
  api.on(orders.list, ({ query }) =>
    query === '?cursor=O-3'
      ? { orders: [anOrder({ id: 'O-2', status: 'FILLED' })] }
      : { orders: latest, next_cursor: 'O-3' },
  )
})

afterEach(clearToasts)

async function openOlder() {
  const { user } = renderConsole('/trader/orders?before=O-3')
  await screen.findByRole('cell', { name: 'O-2' })
  return user
}

async function createOrder(user: Awaited<ReturnType<typeof openOlder>>) {
  await user.click(screen.getByRole('button', { name: 'Create New Order' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Order' }))
  await user.click(dialog.getByRole('button', { name: 'Create Order' }))
}

describe('an older page of orders', () => {
  test('[ORD-21] is marked and links to the latest', async () => {
    const user = await openOlder()
    expect(screen.getByText('Older orders')).toBeVisible()
    const text = 'Placed before O-3. New orders appear on the latest page.'
    expect(screen.getByText(text)).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Show latest' }))
    expect(await screen.findByRole('cell', { name: 'O-3' })).toBeVisible()
    expect(screen.queryByText('Older orders')).toBeNull()
  })

  test('[ORD-21] leads to still older orders, down to the last', async () => {
    api.on(orders.list, ({ query }) =>
      query === '?cursor=O-3'
        ? { orders: [anOrder({ id: 'O-2', status: 'FILLED' })], next_cursor: 'O-2' }
        : { orders: [anOrder({ id: 'O-1', status: 'FILLED' })] },
    )
    const user = await openOlder()
    await user.click(screen.getByRole('link', { name: 'Show older' }))
    expect(await screen.findByRole('cell', { name: 'O-1' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Show older' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Show latest' })).toBeVisible()
  })

  test('[ORD-21] where nothing older is left it says so, and not that there are no orders', async () => {
    api.on(orders.list, { orders: [] })
    renderConsole('/trader/orders?before=O-1')
    const text = 'No older orders: all orders before O-1 are on the latest page.'
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show latest' })).toBeVisible()
    expect(screen.queryByText('No Orders Yet')).toBeNull()
  })

  test('[ORD-21] leads to the latest when it cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const detail = "query.cursor: must be the id of an order, and 'x' is none."
    api.answer(orders.list, () => problemReply(422, detail))
    renderConsole('/trader/orders?before=x')
    expect(await screen.findByText(detail)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show latest' })).toBeVisible()
  })

  test('[ORD-21] [ORD-29] leads to the latest once a new order is accepted, and older pages can be opened again', async () => {
    stopPolling()
    const user = await openOlder()
    api.on(orders.place, () => {
      latest = [anOrder({ id: 'O-4' }), ...latest]
      return anOrder({ id: 'O-4' })
    })
    await createOrder(user)
    expect(await screen.findByRole('cell', { name: 'O-4' })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('link', { name: 'Show older' }))
    expect(await screen.findByText('Older orders')).toBeVisible()
    expect(await screen.findByRole('cell', { name: 'O-2' })).toBeVisible()
  })

  test('[ORD-16] [ORD-21] stays while a new order is refused', async () => {
    const user = await openOlder()
    const sentence = 'Over the maximum order size.'
    api.on(orders.place, anOrder({ id: 'O-4', status: 'REJECTED', reason: { sentence } }))
    await createOrder(user)
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(screen.getByText('Older orders')).toBeInTheDocument()
    expect(screen.getByRole('dialog', { name: 'Create New Order' })).toBeVisible()
  })
})
