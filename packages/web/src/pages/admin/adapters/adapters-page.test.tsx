import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { createSimulatedPorts } from '#ports/simulated/simulated-ports.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { renderWithPorts } from '#testkit/render-with-ports.tsx'
import { passTime, stopTime } from '#testkit/time.ts'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'
import { AdaptersPage } from './adapters-page.tsx'

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
  stopTime()
  fireEvent.click(button)
  await passTime(afterMs - 10)
  expect(toastsOfType('info')).toHaveLength(1)
  expect(toastsOfType('success')).toEqual([])
  await passTime(20)
  expect(toastsOfType('success')).toEqual([done])
}

describe('adapters', () => {
  afterEach(forgetToasts)

  it('[ADAPT-1] [ADAPT-2] four exchanges and a broker with Toggle, Test and Config', async () => {
    await open()
    expect(rows()).toEqual(ROWS)
    for (const name of ['Connect All', 'Disconnect All', 'Test All']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
    expect(screen.getByText('Simulated')).toBeVisible()
  })

  it.each([
    ['Binance', 'Simulated: Binance would be disconnected'],
    ['Coinbase', 'Simulated: Coinbase would be connected'],
  ])('[ADAPT-3] a toggle of %s says after 1000 ms: %s', async (adapter, done) => {
    await open()
    await expectSuccess(buttonOf(adapter, 'Toggle'), 1000, done)
  })

  it.each([
    ['Connect All', 'Simulated: all adapters would be connected'],
    ['Disconnect All', 'Simulated: all adapters would be disconnected'],
  ])('[ADAPT-3] %s says after 1000 ms: %s', async (name, done) => {
    await open()
    await expectSuccess(screen.getByRole('button', { name }), 1000, done)
  })

  it('[ADAPT-4] a test of one says after 1500 ms that its connection test passed!', async () => {
    await open()
    await expectSuccess(buttonOf('Bybit', 'Test'), 1500, 'Simulated: Bybit connection test passed!')
  })

  it('[ADAPT-4] Test All says after 1500 ms that the connection test passed!', async () => {
    await open()
    const button = screen.getByRole('button', { name: 'Test All' })
    await expectSuccess(button, 1500, 'Simulated: all adapters connection test passed!')
  })

  it('[ADAPT-5] actions change no status and make no call', async () => {
    const api = await open()
    stopTime()
    for (const name of ['Toggle', 'Test', 'Config']) fireEvent.click(buttonOf('Coinbase', name))
    fireEvent.click(screen.getByRole('button', { name: 'Disconnect All' }))
    await passTime(3000)
    expect(rows()).toEqual(ROWS)
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  it('[CAP-9] a live port keeps rows, buttons and the words of a passed test, and Toggle asks for the opposite', async () => {
    const asked: string[] = []
    const { adapters } = createSimulatedPorts(async () => {})
    const setConnected = async (id: string, connected: boolean) => void asked.push(`${id} ${connected}`)
    renderWithPorts(<AdaptersPage />, { adapters: { ...adapters, kind: 'live', setConnected } })
    await screen.findByText('Binance')
    expect(rows()).toEqual(ROWS)
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
    fireEvent.click(buttonOf('Binance', 'Toggle'))
    fireEvent.click(buttonOf('Coinbase', 'Toggle'))
    await waitFor(() => expect(asked).toEqual(['binance false', 'coinbase true']))
    fireEvent.click(buttonOf('OKX', 'Test'))
    await waitFor(() => expect(toastsOfType('success')).toContain('OKX connection test passed!'))
  })
})
