import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSimulatedPorts } from '#ports/simulated-ports.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { renderWithPorts } from '#testkit/render-with-ports.tsx'
import { advanceTime, freezeTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { ComponentsPage } from './components-page.tsx'

const ROWS = [
  ['DataEngine', 'Engine', 'running', 'Stop', 'Restart', 'Config'],
  ['ExecutionEngine', 'Engine', 'running', 'Stop', 'Restart', 'Config'],
  ['RiskEngine', 'Engine', 'running', 'Stop', 'Restart', 'Config'],
  ['Portfolio', 'Component', 'running', 'Stop', 'Restart', 'Config'],
  ['Cache', 'Component', 'running', 'Stop', 'Restart', 'Config'],
  ['MessageBus', 'Component', 'running', 'Stop', 'Restart', 'Config'],
]

const rows = () =>
  within(screen.getByRole('list', { name: 'Engine components' }))
    .getAllByRole('listitem')
    .map((row) => [...row.querySelectorAll('span:not(:has(span)), button')].map((part) => part.textContent))

const liveRows = () =>
  within(screen.getByRole('table', { name: 'Engine components' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      [...row.querySelectorAll('button, td:first-child small, td:nth-child(2) span')].map(
        (part) => part.textContent,
      ),
    )

const buttonOf = (component: string, name: string) => {
  const row = screen.getByText(component).closest<HTMLElement>('li, tr')
  if (!row) throw new Error(`${component} is in no row`)
  return within(row).getByRole('button', { name })
}

const open = async () => {
  const api = createFakeApi()
  renderConsole('/admin/components')
  await screen.findByText('DataEngine')
  return api
}

describe('components', () => {
  afterEach(clearToasts)

  test('[COMP-1] [COMP-2] lists six running components, each with Stop, Restart and Config', async () => {
    await open()
    expect(rows()).toEqual(ROWS)
    for (const name of ['Start All', 'Stop All', 'Restart All']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
  })

  test('[CAP-7] a simulated port is marked beside the title', async () => {
    await open()
    expect(screen.getByText('Simulated')).toBeVisible()
  })

  test('[COMP-1] Back goes to /admin', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test.each([
    ['Stop', 'Simulating: stop Cache...', 'Simulated: Cache would be stopped'],
    ['Restart', 'Simulating: restart Cache...', 'Simulated: Cache would be restarted'],
    ['Config', 'Simulating: configure Cache...', 'Simulated: Cache would be configured'],
  ])('[COMP-3] %s says at once: %s, and after 1000 ms: %s', async (name, starting, done) => {
    await open()
    freezeTime()
    fireEvent.click(buttonOf('Cache', name))
    await advanceTime(10)
    expect(toastsOfType('info')).toEqual([starting])
    await advanceTime(980)
    expect(toastsOfType('success')).toEqual([])
    await advanceTime(20)
    expect(toastsOfType('success')).toEqual([done])
  })

  test.each([
    ['Start All', 'Simulating: start all components...', 'Simulated: all components would be started'],
    ['Stop All', 'Simulating: stop all components...', 'Simulated: all components would be stopped'],
    ['Restart All', 'Simulating: restart all components...', 'Simulated: all components would be restarted'],
  ])('[COMP-3] %s says at once: %s, and after 1000 ms: %s', async (name, starting, done) => {
    await open()
    freezeTime()
    fireEvent.click(screen.getByRole('button', { name }))
    await advanceTime(990)
    expect(toastsOfType('info')).toEqual([starting])
    expect(toastsOfType('success')).toEqual([])
    await advanceTime(20)
    expect(toastsOfType('success')).toEqual([done])
  })

  test('[COMP-4] an action changes no status and makes no call', async () => {
    const api = await open()
    freezeTime()
    for (const name of ['Stop', 'Restart', 'Config']) fireEvent.click(buttonOf('DataEngine', name))
    fireEvent.click(screen.getByRole('button', { name: 'Stop All' }))
    await advanceTime(2000)
    expect(rows()).toEqual(ROWS)
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  test('[COMP-3] a second click on a pending action does nothing; other rows stay enabled', async () => {
    await open()
    freezeTime()
    const stop = buttonOf('Cache', 'Stop')
    fireEvent.click(stop)
    fireEvent.click(stop)
    await advanceTime(100)
    expect(stop).toBeDisabled()
    expect(buttonOf('Portfolio', 'Stop')).toBeEnabled()
    await advanceTime(3000)
    expect(stop).toBeEnabled()
    expect(toastsOfType('success')).toHaveLength(1)
  })

  test('[CAP-7] [CAP-9] a live port has the same components and buttons, no badge and live messages', async () => {
    const acted: string[] = []
    const simulated = createSimulatedPorts(async () => {}).components
    const act = async (action: string, id: string) => void acted.push(`${action} ${id}`)
    renderWithPorts(<ComponentsPage />, { components: { ...simulated, kind: 'live', act } })
    await screen.findByText('DataEngine')
    expect(liveRows()).toEqual(ROWS)
    for (const name of ['Start All', 'Stop All', 'Restart All', 'Back']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
    fireEvent.click(buttonOf('Cache', 'Stop'))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Cache stopped']))
    expect(toastsOfType('info')).toEqual(['Stopping Cache...'])
    expect(acted).toEqual(['stop Cache'])
  })

  test('a failed action of a live port is named in its message', async () => {
    const simulated = createSimulatedPorts(async () => {}).components
    const actOnAll = () => Promise.reject(new Error('refused'))
    renderWithPorts(<ComponentsPage />, { components: { ...simulated, kind: 'live', actOnAll } })
    fireEvent.click(await screen.findByRole('button', { name: 'Stop All' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }))
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual([
        'Failed to stop all componentsNo answer. All components may have been stopped; check the status shown here.',
      ]),
    )
  })

  test('[SHELL-12] a live port without components says so', async () => {
    const simulated = createSimulatedPorts(async () => {}).components
    renderWithPorts(<ComponentsPage />, { components: { ...simulated, kind: 'live', list: async () => [] } })
    expect(await screen.findByText('No Components')).toBeVisible()
  })

  test('[SHELL-12] a live port that cannot be read says so', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const simulated = createSimulatedPorts(async () => {}).components
    const list = () => Promise.reject(new Error('gone'))
    renderWithPorts(<ComponentsPage />, { components: { ...simulated, kind: 'live', list } })
    expect(await screen.findByText('The components could not be loaded')).toBeVisible()
    expect(log).toHaveBeenCalledOnce()
  })
})
