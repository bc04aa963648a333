import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { createSimulatedPorts } from '#ports/simulated/simulated-ports.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { renderWithPorts } from '#testkit/render-with-ports.tsx'
import { passTime, stopTime } from '#testkit/time.ts'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'
import { FeaturesPage } from './features-page.tsx'

const FLAGS = [
  ['Live Trading', 'on', 'Disable'],
  ['Backtesting', 'on', 'Disable'],
  ['Paper Trading', 'off', 'Enable'],
  ['Risk Management', 'on', 'Disable'],
  ['Advanced Analytics', 'off', 'Enable'],
  ['Multi-Exchange', 'on', 'Disable'],
]

const ACTIONS = ['Start', 'Stop', 'Restart', 'Config']
const SERVICES = [
  ['Market Data Service', 'running', ...ACTIONS],
  ['Order Execution Service', 'running', ...ACTIONS],
  ['Risk Service', 'stopped', ...ACTIONS],
  ['Analytics Service', 'running', ...ACTIONS],
]

const rowsOf = (list: string) =>
  within(screen.getByRole('list', { name: list }))
    .getAllByRole('listitem')
    .map((row) =>
      [...row.querySelectorAll('span:not(:has(span)), button')]
        .map((part) => part.textContent)
        .filter((text) => text !== ''),
    )

const buttonOf = (entry: string, name: string) => {
  const row = within(screen.getByRole('main')).getByText(entry).closest('li')
  if (!row) throw new Error(`${entry} is in no row`)
  return within(row).getByRole('button', { name })
}

const open = async () => {
  const api = createFakeApi()
  renderConsole('/admin/features')
  await screen.findByText('Live Trading')
  await screen.findByText('Risk Service')
  return api
}

const expectSimulated = async (button: HTMLElement, starting: string, done: string) => {
  stopTime()
  fireEvent.click(button)
  await passTime(990)
  expect(toastsOfType('info')).toEqual([starting])
  expect(toastsOfType('success')).toEqual([])
  await passTime(20)
  expect(toastsOfType('success')).toEqual([done])
}

describe('features and services', () => {
  afterEach(forgetToasts)

  it('[FEAT-1] [FEAT-2] six flags, each offering what it is not', async () => {
    await open()
    expect(rowsOf('Feature Flags')).toEqual(FLAGS)
    expect(screen.getByRole('button', { name: 'Enable All' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Disable All' })).toBeEnabled()
  })

  it('[FEAT-3] [FEAT-4] four services with Start, Stop, Restart and Config', async () => {
    await open()
    expect(rowsOf('Services')).toEqual(SERVICES)
  })

  it('[CAP-7] one badge says that the whole page is simulated', async () => {
    await open()
    expect(screen.getAllByText('Simulated')).toHaveLength(1)
  })

  it.each([
    ['Live Trading', 'Disable', 'disable Live Trading', 'Live Trading would be disabled'],
    ['Paper Trading', 'Enable', 'enable Paper Trading', 'Paper Trading would be enabled'],
    ['Risk Service', 'Start', 'start Risk Service', 'Risk Service would be started'],
    ['Risk Service', 'Config', 'configure Risk Service', 'Risk Service would be configured'],
  ])('[FEAT-5] %s, %s succeeds after 1000 ms', async (entry, name, starting, done) => {
    await open()
    await expectSimulated(buttonOf(entry, name), `Simulating: ${starting}...`, `Simulated: ${done}`)
  })

  it.each([
    ['Enable All', 'enable all feature flags', 'all feature flags would be enabled'],
    ['Disable All', 'disable all feature flags', 'all feature flags would be disabled'],
  ])('[FEAT-5] %s succeeds after 1000 ms', async (name, starting, done) => {
    await open()
    const button = screen.getByRole('button', { name })
    await expectSimulated(button, `Simulating: ${starting}...`, `Simulated: ${done}`)
  })

  it('[FEAT-6] actions change no status and make no call', async () => {
    const api = await open()
    stopTime()
    fireEvent.click(buttonOf('Live Trading', 'Disable'))
    fireEvent.click(buttonOf('Risk Service', 'Start'))
    fireEvent.click(screen.getByRole('button', { name: 'Enable All' }))
    await passTime(2000)
    expect(rowsOf('Feature Flags')).toEqual(FLAGS)
    expect(rowsOf('Services')).toEqual(SERVICES)
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  it('[CAP-9] live ports keep every row and button', async () => {
    const { features, services } = createSimulatedPorts(async () => {})
    renderWithPorts(
      <main>
        <FeaturesPage />
      </main>,
      { features: { ...features, kind: 'live' }, services: { ...services, kind: 'live' } },
    )
    await screen.findByText('Live Trading')
    await screen.findByText('Risk Service')
    expect(rowsOf('Feature Flags')).toEqual(FLAGS)
    expect(rowsOf('Services')).toEqual(SERVICES)
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })
})
