import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime, freezeTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const ROWS = [
  ['Binance', 'Exchange', 'connected', 'Toggle', 'Test', 'Config'],
  ['Bybit', 'Exchange', 'connected', 'Toggle', 'Test', 'Config'],
  ['OKX', 'Exchange', 'connected', 'Toggle', 'Test', 'Config'],
  ['Coinbase', 'Exchange', 'disconnected', 'Toggle', 'Test', 'Config'],
  ['Interactive Brokers', 'Broker', 'disconnected', 'Toggle', 'Test', 'Config'],
]

const rows = () =>
  within(screen.getByRole('list', { name: 'Exchanges and brokers' }))
    .getAllByRole('listitem')
    .map((row) => [...row.querySelectorAll('span:not(:has(span)), button')].map((part) => part.textContent))

const buttonOf = (adapter: string, name: string) => {
  const row = screen.getByText(adapter).closest('li')
  if (!row) throw new Error(`${adapter} is in no row`)
  return within(row).getByRole('button', { name })
}

const open = async () => {
  const api = createFakeApi()
  renderConsole('/admin/adapters')
  await screen.findByText('Binance')
  return api
}

const expectSuccess = async (button: HTMLElement, afterMs: number, done: string) => {
  freezeTime()
  fireEvent.click(button)
  await advanceTime(afterMs - 10)
  expect(toastsOfType('info')).toHaveLength(1)
  expect(toastsOfType('success')).toEqual([])
  await advanceTime(20)
  expect(toastsOfType('success')).toEqual([done])
}

describe('adapters', () => {
  afterEach(clearToasts)

  test('[ADAPT-1] [ADAPT-2] four exchanges and a broker with Toggle, Test and Config', async () => {
    await open()
    expect(rows()).toEqual(ROWS)
    for (const name of ['Connect All', 'Disconnect All', 'Test All']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
    expect(screen.getByText('Simulated')).toBeVisible()
  })

  test.each([
    ['Binance', 'Simulated: Binance would be disconnected'],
    ['Coinbase', 'Simulated: Coinbase would be connected'],
  ])('[ADAPT-3] a toggle of %s says after 1000 ms: %s', async (adapter, done) => {
    await open()
    await expectSuccess(buttonOf(adapter, 'Toggle'), 1000, done)
  })

  test.each([
    ['Connect All', 'Simulated: all adapters would be connected'],
    ['Disconnect All', 'Simulated: all adapters would be disconnected'],
  ])('[ADAPT-3] %s says after 1000 ms: %s', async (name, done) => {
    await open()
    await expectSuccess(screen.getByRole('button', { name }), 1000, done)
  })

  test('[ADAPT-4] a test of one says after 1500 ms that its connection test passed!', async () => {
    await open()
    await expectSuccess(buttonOf('Bybit', 'Test'), 1500, 'Simulated: Bybit connection test passed!')
  })

  test('[ADAPT-4] Test All says after 1500 ms that the connection test passed!', async () => {
    await open()
    const button = screen.getByRole('button', { name: 'Test All' })
    await expectSuccess(button, 1500, 'Simulated: all adapters connection test passed!')
  })

  test('[ADAPT-5] actions change no status and make no call', async () => {
    const api = await open()
    freezeTime()
    for (const name of ['Toggle', 'Test', 'Config']) fireEvent.click(buttonOf('Coinbase', name))
    fireEvent.click(screen.getByRole('button', { name: 'Disconnect All' }))
    await advanceTime(3000)
    expect(rows()).toEqual(ROWS)
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })
})
