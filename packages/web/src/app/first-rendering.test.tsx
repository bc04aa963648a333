import { orders, PAGE_DATA_ID, PAGE_REPLIES_ID, type PageData } from '@binnacle/contract'
import { onlineManager, useMutation } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { call } from '#data/client.ts'
import { loadFirst } from '#data/first-loads.ts'
import { dropPageReplies, readPageReplies } from '#data/transport/page-data.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { DataProvider } from './data-provider.tsx'
import { Providers } from './providers.tsx'
import { ConsoleRoutes, preloadScreen } from './router.tsx'

const OWN: PageData = {
  config: { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' },
  capabilities: { capabilities: [] },
}

function putIntoPage(data: PageData | Record<string, string>, id = PAGE_DATA_ID) {
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = id
  element.textContent = JSON.stringify(data)
  document.head.append(element)
}

function renderOrders() {
  render(
    <Providers>
      <MemoryRouter initialEntries={['/trader/orders']}>
        <ConsoleRoutes />
      </MemoryRouter>
    </Providers>,
  )
}

afterEach(() => {
  document.getElementById(PAGE_DATA_ID)?.remove()
  vi.useRealTimers()
})

test('[SHELL-111] the first rendering shows the reply that came with the page, loaded once', async () => {
  const api = createFakeApi()
  api.on(orders.list, { orders: [] })
  putIntoPage(OWN)
  await preloadScreen('/trader/orders')
  renderOrders()
  expect(screen.getByText('No Orders Yet')).toBeVisible()
  expect(api.calls(orders.list)).toHaveLength(1)
})

test('[CLIENT-220] a command of the first screen fails at once when the browser is offline, and is not sent later', async () => {
  const api = createFakeApi()
  api.on(orders.list, { orders: [] })
  putIntoPage(OWN)
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const client = await loadFirst(() => {})
  const send = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  render(
    <DataProvider loaded={client}>
      <Sender send={send} />
    </DataProvider>,
  )
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('error')).toBeVisible()
  onlineManager.setOnline(true)
  expect(send).toHaveBeenCalledOnce()
})

function Sender({ send }: { send: () => Promise<never> }) {
  const { mutate, status } = useMutation({ mutationFn: send })
  return (
    <button type="button" onClick={() => mutate()}>
      {status}
    </button>
  )
}

test('[SHELL-210] the first rendering shows the replies in the page without a call, and the next load calls', async () => {
  const api = createFakeApi()
  api.on(orders.list, { orders: [] })
  putIntoPage(OWN)
  putIntoPage({ '/api/orders': JSON.stringify({ orders: [] }) }, PAGE_REPLIES_ID)
  await preloadScreen('/trader/orders')
  renderOrders()
  expect(screen.getByText('No Orders Yet')).toBeVisible()
  expect(api.calls(orders.list)).toEqual([])
  await call(orders.list, {})
  expect(api.calls(orders.list)).toHaveLength(1)
})

test('[SHELL-210] a reply in the page is not that of another engine', async () => {
  const api = createFakeApi()
  api.on(orders.list, { orders: [] })
  putIntoPage({ '/api/orders': JSON.stringify({ orders: [] }) }, PAGE_REPLIES_ID)
  readPageReplies()
  onTestFinished(dropPageReplies)
  await call(orders.list, {}, { engine: 'second' })
  expect(api.calls(orders.list)).toHaveLength(1)
})

test('[SHELL-111] nothing is loaded before the first rendering of a page without data', async () => {
  const api = createFakeApi()
  await preloadScreen('/trader/orders')
  expect(api.everyCall()).toEqual([])
})

test('[SHELL-111] the first rendering does not wait for a slow reply', async () => {
  const api = createFakeApi()
  const reply = Promise.withResolvers<Response>()
  api.answer(orders.list, () => reply.promise)
  putIntoPage(OWN)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const loading = preloadScreen('/trader/orders')
  await vi.advanceTimersByTimeAsync(250)
  await loading
  renderOrders()
  expect(screen.queryByText('No Orders Yet')).toBeNull()
  reply.resolve(Response.json({ orders: [] }))
  expect(await screen.findByText('No Orders Yet')).toBeVisible()
})
