import { components, engine, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
// The page loads it on demand, which takes longer than a test waits.
import './component-details.tsx'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
  api.on(engine.systemInfo, {
    components: [
      {
        id: 'DataEngine',
        name: 'DataEngine',
        type: 'Engine',
        status: 'running',
        config: { stale_after_s: 60 },
      },
      { id: 'Cache', name: 'Cache', type: 'Component', status: 'running', config: {} },
    ],
  })
  api.on(components.details, {
    affected: { running_strategies: 4, working_orders: 6, adding_orders: 3, open_positions: 1 },
    components: [
      {
        id: 'DataEngine',
        throughput: { value: 12.34, unit: 'trades/s', series: 'rate.trades', about: 'Trades' },
        queue: null,
        queue_note: 'It has no queue.',
        running_since: new Date(Date.now() - 2 * 3_600_000).toISOString(),
        last_error: { at: '2026-11-03T09:20:00.000Z', text: 'out of memory' },
        history: [{ at: '2026-11-03T09:20:00.000Z', status: 'stopped', by: 'ann' }],
        versions: [
          { version: 1, at: '2026-11-03T09:20:00.000Z', by: 'ann', config: { stale_after_s: 60 } },
          { version: 0, config: { stale_after_s: 30 } },
        ],
      },
      {
        id: 'Cache',
        throughput: null,
        throughput_note: 'Reads are not counted.',
        queue: null,
        queue_note: 'It has no queue.',
        last_error: null,
        history: [],
        versions: [{ version: 0, config: {} }],
      },
    ],
  })
})
afterEach(clearToasts)

async function open() {
  const { user } = renderConsole('/admin/components')
  const table = await screen.findByRole('table', { name: 'Engine components' })
  await screen.findByRole('region', { name: 'How work flows' })
  return { user, table: within(table) }
}

test('[COMP-11] [COMP-12] each component has its figures, or a dash with the reason', async () => {
  const { table } = await open()
  expect(table.getByText('12.3 trades/s')).toBeVisible()
  expect(table.getByText('2026-11-03 09:20:00 UTC: out of memory')).toBeVisible()
  expect(table.getByText('Reads are not counted.')).toBeVisible()
  expect(table.getByText('none')).toBeVisible()
})

test('[COMP-13] the history of the chosen component has status, time and person', async () => {
  const { user, table } = await open()
  const history = await screen.findByRole('list', { name: 'State history' })
  expect(history).toHaveTextContent('2026-11-03 09:20:00 UTC')
  expect(history).toHaveTextContent('stopped')
  expect(history).toHaveTextContent('by ann')
  await user.click(table.getByRole('button', { name: 'Cache' }))
  expect(screen.getByText('Its status was never changed.')).toBeVisible()
  expect(screen.getByText('It has no settings.')).toBeVisible()
})

test('[COMP-14] Revert makes an older version the newest; the one in force offers none', async () => {
  api.on(components.configure, {})
  const { user } = await open()
  expect(screen.getAllByRole('button', { name: /^Revert to/ })).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Revert to version 0' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['DataEngine configured']))
  expect(api.calls(components.configure)[0]?.body).toEqual({
    component: 'DataEngine',
    config: { stale_after_s: 30 },
  })
})

test('[COMP-15] each running component has its uptime', async () => {
  const { table } = await open()
  const [, first, second] = table.getAllByRole('row')
  expect(first).toHaveTextContent(/DataEngineEnginerunning2 h/)
  expect(second).toHaveTextContent(/CacheComponentrunning—/)
  expect(screen.getByText('2 of 2 running')).toBeVisible()
})

test('[COMP-16] the flow has the figures of each step, and chooses a component', async () => {
  const { user } = await open()
  const flow = within(screen.getByRole('region', { name: 'How work flows' }))
  expect(flow.getByRole('button', { name: 'DataEngine 12.3 trades/s', pressed: true })).toBeVisible()
  expect(flow.getByText('4 running')).toBeVisible()
  await user.click(flow.getByRole('button', { name: 'Cache —', pressed: false }))
  expect(screen.getByRole('region', { name: 'History of Cache' })).toBeVisible()
})

test('[COMP-17] the question of a stop names what it affects now', async () => {
  const { user, table } = await open()
  const [, first] = table.getAllByRole('row')
  await user.click(within(first as HTMLElement).getByRole('button', { name: 'Stop' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('4 running strategies receive no prices.')).toBeVisible()
  expect(
    within(dialog).getByText('1 open position stays and cannot be closed until it is started again.'),
  ).toBeVisible()
})
