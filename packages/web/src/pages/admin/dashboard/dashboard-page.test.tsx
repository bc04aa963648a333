import { engine } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'

const anEngine = (traderId = 'TRADER-001') => ({
  trader_id: traderId,
  engine_type: 'embedded',
  status: 'running',
  is_running: true,
  strategies_count: 2,
})

describe('admin dashboard', () => {
  let api: FakeApi

  beforeEach(() => {
    api = createFakeApi()
    api.on(engine.info, anEngine())
  })

  afterEach(forgetToasts)

  it('[ADM-1] has the title Binnacle Admin Panel', async () => {
    renderConsole('/admin')
    expect(await screen.findByRole('heading', { level: 1, name: 'Binnacle Admin Panel' })).toBeVisible()
  })

  it('[ADM-2] [ADM-3] reads Connecting... until the engine answered, then whom it is connected to', async () => {
    let release = () => {}
    api.answer(
      engine.info,
      () =>
        new Promise((resolve) => {
          release = () => resolve(Response.json(anEngine()))
        }),
    )
    renderConsole('/admin')
    expect(await screen.findByText('Connecting...')).toBeVisible()
    expect(toastsOfType('success')).toEqual([])
    await waitFor(() => expect(api.calls(engine.info)).toHaveLength(1))
    release()
    expect(await screen.findByText('Connected: TRADER-001')).toBeVisible()
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connected to trading engine']))
  })

  it.each([
    ['answers 500', () => api.fail(engine.info)],
    ['is gone', () => api.drop(engine.info)],
    ['answers nonsense', () => api.answer(engine.info, () => Response.json({ hello: 1 }))],
  ])('[ADM-4] an engine that %s is Disconnected at the first failure', async (_, disturb) => {
    disturb()
    renderConsole('/admin')
    expect(await screen.findByText('Disconnected')).toBeVisible()
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to connect to trading engine API']))
    expect(api.calls(engine.info)).toHaveLength(1)
    expect(toastsOfType('success')).toEqual([])
  })

  it('[ADM-5] Refresh asks again, and what it says then stands', async () => {
    const { user } = renderConsole('/admin')
    await screen.findByText('Connected: TRADER-001')
    api.drop(engine.info)
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Disconnected')).toBeVisible()
    expect(screen.queryByText(/^Connected:/)).not.toBeInTheDocument()
    api.on(engine.info, anEngine('TRADER-002'))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Connected: TRADER-002')).toBeVisible()
    expect(api.calls(engine.info)).toHaveLength(3)
  })

  it('[ADM-5] Back to Home goes to /', async () => {
    const { user } = renderConsole('/admin')
    await user.click(await screen.findByRole('button', { name: 'Back to Home' }))
    expect(screen.getByTestId('whereabouts')).toHaveTextContent(/^\/$/)
  })

  it.each([
    ['Total Operations', '140+'],
    ['Admin Pages', '8'],
    ['API Endpoints', '15+'],
    ['Status', 'Live'],
  ])('[ADM-6] the card %s reads %s, the engine gone or not', async (label, value) => {
    api.drop(engine.info)
    renderConsole('/admin')
    const term = await screen.findByText(label, { selector: 'dt' })
    expect(term.nextElementSibling).toHaveTextContent(value)
  })

  it('[ADM-7] ten cards lead on, the unrouted one included', async () => {
    renderConsole('/admin')
    await screen.findByText('Connected: TRADER-001')
    const links = within(screen.getByRole('main')).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/database',
      '/admin/components',
      '/admin/features',
      '/admin/adapters',
      '/admin/monitoring',
      '/admin/settings',
      '/admin/api-config',
      '/admin/db-management',
      '/admin/positions',
      '/docs',
    ])
  })

  it('[ADM-8] Test Notification shows a test message', async () => {
    const { user } = renderConsole('/admin')
    await user.click(await screen.findByRole('button', { name: 'Test Notification' }))
    await waitFor(() => expect(toastsOfType('info')).toEqual(['This is a test notification']))
  })
})
