import { orders } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { problemReply } from '#testkit/held-answer.ts'
import { stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'
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

afterEach(forgetToasts)

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
  it('[ORD-21] says that it is one and leads to the latest', async () => {
    const user = await openOlder()
    expect(screen.getByText('These are older orders.')).toBeVisible()
    const words = 'They were placed before O-3 and are not on the latest page, where new orders appear.'
    expect(screen.getByText(words)).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Show latest' }))
    expect(await screen.findByRole('cell', { name: 'O-3' })).toBeVisible()
    expect(screen.queryByText('These are older orders.')).toBeNull()
  })

  it('[ORD-21] leads to still older orders, down to the last', async () => {
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

  it('[ORD-21] where nothing older is left it says so, and not that there are no orders', async () => {
    api.on(orders.list, { orders: [] })
    renderConsole('/trader/orders?before=O-1')
    const words = 'None are left: all orders placed before O-1 are on the latest page.'
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show latest' })).toBeVisible()
    expect(screen.queryByText('No Orders Yet')).toBeNull()
  })

  it('[ORD-21] leads to the latest when it cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const detail = "query.cursor: must be the id of an order, and 'x' is none."
    api.answer(orders.list, () => problemReply(422, detail))
    renderConsole('/trader/orders?before=x')
    expect(await screen.findByText(detail)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show latest' })).toBeVisible()
  })

  it('[ORD-21] leads to the latest once a new order is taken, and older ones can be shown again', async () => {
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
    expect(await screen.findByText('These are older orders.')).toBeVisible()
    expect(await screen.findByRole('cell', { name: 'O-2' })).toBeVisible()
  })

  it('[ORD-16] [ORD-21] stays while a new order is refused', async () => {
    const user = await openOlder()
    const sentence = 'Over the maximum order size.'
    api.on(orders.place, anOrder({ id: 'O-4', status: 'REJECTED', reason: { sentence } }))
    await createOrder(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([sentence]))
    expect(screen.getByText('These are older orders.')).toBeInTheDocument()
    expect(screen.getByRole('dialog', { name: 'Create New Order' })).toBeVisible()
  })
})
