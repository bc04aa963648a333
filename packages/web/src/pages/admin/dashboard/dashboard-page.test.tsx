import {
  APPS,
  auditLogs,
  callsOf,
  engine,
  jobs,
  maintenance,
  service,
  services,
  tasks,
} from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

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

  afterEach(clearToasts)

  test('[ADM-1] has the title Binnacle Admin Panel', async () => {
    renderConsole('/admin')
    expect(await screen.findByRole('heading', { level: 1, name: 'Binnacle Admin Panel' })).toBeVisible()
  })

  test('[ADM-2] [ADM-3] shows Connecting... until the engine replies, then its trader id', async () => {
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

  test.each([
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

  test('[ADM-5] Refresh loads again and shows the new state', async () => {
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

  test('[ADM-5] Back to Home goes to /', async () => {
    const { user } = renderConsole('/admin')
    await user.click(await screen.findByRole('button', { name: 'Back to Home' }))
    expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/$/)
  })

  test.each([
    ['Total Operations', '140+'],
    ['Admin Pages', '8'],
    ['API Endpoints', '15+'],
    ['Status', 'Live'],
  ])('[ADM-6] the card %s reads %s, with and without the engine', async (label, value) => {
    api.drop(engine.info)
    renderConsole('/admin')
    const term = await screen.findByText(label, { selector: 'dt' })
    await waitFor(() => expect(term.nextElementSibling).toHaveTextContent(value))
  })

  describe('on a live backend', () => {
    let status: string

    beforeEach(() => {
      status = 'running'
      api.on(service.capabilities, { capabilities: ['components'] })
      api.on(auditLogs.list, {
        logs: [
          {
            id: 1234,
            at: '2026-03-02T09:00:00Z',
            actor: 'local',
            action: 'orders.place',
            entity: 'order',
            target: 'O-14',
          },
          { id: 1233, at: '2026-03-02T08:00:00Z', actor: 'local', action: 'settings.update' },
        ],
      })
      api.on(engine.systemInfo, () => ({
        components: [
          { id: 'Cache', name: 'Cache', type: 'Component', status },
          { id: 'RiskEngine', name: 'RiskEngine', type: 'Engine', status: 'running' },
        ],
      }))
    })

    // Found again each time: the cards are replaced once the backend is known.
    const showsFigure = (label: string, value: string) =>
      waitFor(() =>
        expect(screen.getByText(label, { selector: 'dt' }).nextElementSibling).toHaveTextContent(value),
      )

    test('[ADM-9] the cards show real figures', async () => {
      renderConsole('/admin')
      await showsFigure('Total Operations', '1,234')
      await showsFigure('Admin Pages', '10')
      // As many as API Configuration lists for the three listeners.
      const routes = APPS.flatMap(callsOf)
      await showsFigure('API Endpoints', String(routes.length))
      await showsFigure('Status', 'Live')
    })

    test('[ADM-20] [ADM-21] the facts of the server stand beside the cards', async () => {
      api.on(service.capabilities, {
        capabilities: ['components', 'jobs', 'probes', 'maintenance', 'alerts'],
      })
      api.on(services.list, {
        endpoints: [{ id: 1, name: 'Trading API', url: 'http://localhost:8000', is_builtin: 1 }],
      })
      api.on(services.health, { health: [{ endpoint: 1, status: 'healthy' }] })
      api.on(maintenance.status, {
        stores: [
          {
            kind: 'parquet',
            connection_id: 'binnacle-catalog',
            name: 'Binnacle market data',
            target: '/data/catalog',
            size: 2048,
            last_backup: '2026-03-01T03:00:00.000Z',
          },
          {
            kind: 'redis',
            connection_id: 'configured-redis',
            name: 'Redis',
            target: 'localhost:6379/0',
            size: null,
            error: 'Redis cannot be reached.',
          },
        ],
      })
      const drill = { id: 2, name: 'Drill', kind: 'backup.drill', schedule: '0 5 * * 0', time_zone: 'UTC' }
      api.on(tasks.list, { tasks: [{ ...drill, is_enabled: 1, last_run_at: '2026-03-02T05:00:00.000Z' }] })
      const job = { id: 3, kind: 'backup.1', title: 'Back up Ledger', created_at: '2026-03-02T09:00:00Z' }
      api.on(jobs.list, { jobs: [{ ...job, state: 'running', progress: 0.42 }] })
      renderConsole('/admin')
      const shows = async (region: string, ...texts: string[]) => {
        const card = await screen.findByRole('region', { name: region })
        for (const text of texts) await waitFor(() => expect(card).toHaveTextContent(text))
      }
      await shows('Engine', 'Live', 'TRADER-001', 'Components running2 of 2')
      await shows('Listeners', 'Trading API', 'healthy', 'localhost:8000')
      await shows(
        'Stores',
        'Binnacle market data2 KB',
        'Rediscannot be reached',
        'Last backup2026-03-01',
        'Last restore drill2026-03-02',
      )
      await shows('Running jobs', 'Back up Ledger42%')
      await shows(
        'Last changes',
        'orders.place · order O-14 · by local2026-03-02 09:00',
        'settings.update · by local',
      )
      const main = within(screen.getByRole('main'))
      expect(main.getByRole('link', { name: /^Database Management/ })).toBeVisible()
    })

    test('[ADM-9] Status is not Live while a component is stopped', async () => {
      status = 'stopped'
      renderConsole('/admin')
      await showsFigure('Status', '1 of 2 components running')
    })

    test('[ADM-9] Status is Stopped while the engine does not run', async () => {
      api.on(engine.info, { ...anEngine(), is_running: false })
      renderConsole('/admin')
      await showsFigure('Status', 'Stopped')
    })

    test('[ADM-9] what is not known reads —', async () => {
      api.drop(engine.info)
      api.drop(auditLogs.list)
      renderConsole('/admin')
      await screen.findByText('Disconnected')
      await showsFigure('Admin Pages', '10')
      await showsFigure('Status', '—')
      await showsFigure('Total Operations', '—')
    })
  })

  test('[ADM-7] ten cards are links, including the unrouted one', async () => {
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

  test('[ADM-8] Test Notification shows a test message', async () => {
    const { user } = renderConsole('/admin')
    await user.click(await screen.findByRole('button', { name: 'Test Notification' }))
    await waitFor(() => expect(toastsOfType('info')).toEqual(['This is a test notification']))
  })
})
