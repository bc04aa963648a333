import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createSimulatedPorts } from '#ports/simulated-ports.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { renderWithPorts } from '#testkit/render-with-ports.tsx'
import { advanceTime, freezeTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
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
  freezeTime()
  fireEvent.click(button)
  await advanceTime(990)
  expect(toastsOfType('info')).toEqual([starting])
  expect(toastsOfType('success')).toEqual([])
  await advanceTime(20)
  expect(toastsOfType('success')).toEqual([done])
}

describe('features and services', () => {
  afterEach(clearToasts)

  test('[FEAT-1] [FEAT-2] six flags, each with a button for the opposite state', async () => {
    await open()
    expect(rowsOf('Feature Flags')).toEqual(FLAGS)
    expect(screen.getByRole('button', { name: 'Enable All' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Disable All' })).toBeEnabled()
  })

  test('[FEAT-3] [FEAT-4] four services with Start, Stop, Restart and Config', async () => {
    await open()
    expect(rowsOf('Services')).toEqual(SERVICES)
  })

  test('[CAP-7] one badge says that the whole page is simulated', async () => {
    await open()
    expect(screen.getAllByText('Simulated')).toHaveLength(1)
  })

  test.each([
    ['Live Trading', 'Disable', 'disable Live Trading', 'Live Trading would be disabled'],
    ['Paper Trading', 'Enable', 'enable Paper Trading', 'Paper Trading would be enabled'],
    ['Risk Service', 'Start', 'start Risk Service', 'Risk Service would be started'],
    ['Risk Service', 'Config', 'configure Risk Service', 'Risk Service would be configured'],
  ])('[FEAT-5] %s, %s succeeds after 1000 ms', async (entry, name, starting, done) => {
    await open()
    await expectSimulated(buttonOf(entry, name), `Simulating: ${starting}...`, `Simulated: ${done}`)
  })

  test.each([
    ['Enable All', 'enable all feature flags', 'all feature flags would be enabled'],
    ['Disable All', 'disable all feature flags', 'all feature flags would be disabled'],
  ])('[FEAT-5] %s succeeds after 1000 ms', async (name, starting, done) => {
    await open()
    const button = screen.getByRole('button', { name })
    await expectSimulated(button, `Simulating: ${starting}...`, `Simulated: ${done}`)
  })

  test('[FEAT-6] actions change no status and make no call', async () => {
    const api = await open()
    freezeTime()
    fireEvent.click(buttonOf('Live Trading', 'Disable'))
    fireEvent.click(buttonOf('Risk Service', 'Start'))
    fireEvent.click(screen.getByRole('button', { name: 'Enable All' }))
    await advanceTime(2000)
    expect(rowsOf('Feature Flags')).toEqual(FLAGS)
    expect(rowsOf('Services')).toEqual(SERVICES)
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  test('[CAP-9] live ports keep every row and button', async () => {
    const { features, services } = createSimulatedPorts(async () => {})
    renderWithPorts(
      <main>
        <FeaturesPage />
      </main>,
      { features: { ...features, kind: 'live' }, services: { ...services, kind: 'live' } },
    )
    await screen.findByText('Live Trading')
    await screen.findByText('Risk Service')
    // A live row also says what it means.
    const withoutNote = (list: string) =>
      rowsOf(list).map((row) => row.filter((text) => !text?.endsWith('.')))
    expect(withoutNote('Feature Flags')).toEqual(FLAGS)
    expect(withoutNote('Services')).toEqual(SERVICES)
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })
})
