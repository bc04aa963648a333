import {
  type AlertSummary,
  alerts,
  auditLogs,
  type LogLine,
  type Monitoring,
  monitoring,
  samples,
  service,
} from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ALERT } from '#testkit/alerts.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
// The page loads it on demand, which takes longer than a test waits.
import './live-monitoring.tsx'
import { filterLines } from './log-filter.ts'
import { formatRate, formatSince, formatSize } from './metrics-text.ts'

const MEASURED: Monitoring = {
  as_of: '2026-03-02T14:02:11.000Z',
  started_at: '2026-02-24T09:50:00.000Z',
  cpu: { process_percent: 12.4, machine_percent: 40, cores: 2 },
  memory: { resident: 432_013_312, heap_used: 197_132_288, machine_used: 1e9, machine_total: 2_147_483_648 },
  requests: { per_second: 38.2, error_percent: 0.02, open: 1 },
  uptime: {
    percent: 99.89,
    days: [
      { date: '2026-03-01', percent: 97.2, down_minutes: 40 },
      { date: '2026-03-02', percent: 100, down_minutes: 0 },
    ],
  },
  loop_delay: { p50_ms: 0.4, p99_ms: 6.1, max_ms: 11.4 },
  routes: [
    {
      method: 'GET',
      path: '/api/orders',
      replies: 44_640,
      per_second: 12.4,
      p50_ms: 1.1,
      p95_ms: 3.8,
      p99_ms: 9.2,
      errors: 0,
    },
    {
      method: 'POST',
      path: '/api/db/:conn/query',
      replies: 1440,
      per_second: 0.4,
      p50_ms: 21,
      p95_ms: 164,
      p99_ms: 612,
      errors: 26,
    },
  ],
  rates: [{ name: 'Journal', unit: 'entries/s', per_second: 3.4, series: 'rate.entries' }],
  stores: [{ name: 'Journal', detail: '2 files', bytes: 432_013_312 }],
  disk: { free: 33_500_000_000, total: 1e11 },
}

const LINES: LogLine[] = [
  {
    id: 1,
    at: '2026-03-02T14:02:01.006Z',
    level: 'info',
    event: 'request',
    text: 'POST /api/orders 201',
    request_id: '9f31c2d0',
  },
  {
    id: 2,
    at: '2026-03-02T14:02:03.402Z',
    level: 'warn',
    event: 'samples',
    text: 'moved aside',
    request_id: null,
  },
  {
    id: 3,
    at: '2026-03-02T14:02:03.500Z',
    level: 'error',
    event: 'fault',
    text: 'disk is full',
    request_id: null,
  },
]

const NO_ALERTS: AlertSummary = {
  open: 0,
  acknowledged: 0,
  resolved: 0,
  muted_until: null,
  heartbeat_at: null,
  alerts: [],
}

function open(search = '', capabilities = ['monitoring', 'samples']) {
  const api = createFakeApi()
  api.on(service.capabilities, { capabilities })
  api.on(monitoring.read, MEASURED)
  api.on(monitoring.logs, { lines: LINES })
  api.on(samples.read, {
    from: '2026-03-02T13:02:00.000Z',
    to: '2026-03-02T14:02:00.000Z',
    step_s: 15,
    gap_s: 15,
    series: [{ name: 'cpu.process', points: [[1_772_456_520, 10, 5, 31.8]], before: null }],
    marks: [],
  })
  return { api, ...renderConsole(`/admin/monitoring${search}`) }
}

const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent
const lineTexts = () =>
  within(screen.getByRole('table', { name: 'Logs' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[3]?.textContent)

describe('live monitoring', () => {
  afterEach(clearToasts)

  test('[MON-3] [CAP-9] the cards show measured figures under the specified labels', async () => {
    open()
    await screen.findByText('CPU Usage')
    expect(figure('CPU Usage')).toBe('12.4% of 2 cores · machine 40.0%')
    expect(figure('Memory')).toBe('412 MB of 2.0 GB')
    expect(figure('Requests/sec')).toBe('38.2')
    expect(figure('Uptime')).toBe('99.89% 2 days')
    expect(screen.getByText('up 6 d 04:12')).toBeVisible()
    expect(await screen.findByText('peak 31.8%')).toBeVisible()
    for (const name of ['View Metrics', 'View Logs', 'View Alerts', 'View Reports'])
      expect(screen.getByRole('button', { name })).toBeEnabled()
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })

  test('[MON-5] each route has its rate, its percentiles and its errors', async () => {
    open()
    const table = await screen.findByRole('table', { name: 'Latency per route' })
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      )
    expect(cells).toEqual([
      ['GET', '/api/orders', '12.4', '1.1', '3.8', '9.2', '', '0'],
      ['POST', '/api/db/:conn/query', '0.4', '21.0', '164.0', '612.0', '', '26'],
    ])
  })

  test('[MON-3] a longer range is loaded when it is chosen', async () => {
    const { api, user } = open()
    await user.click(await screen.findByRole('radio', { name: '24h' }))
    await waitFor(() => {
      const spans = api.calls(samples.read).map(({ query }) => {
        const from = new URLSearchParams(query).get('from') ?? ''
        return Math.round((Date.now() - Date.parse(from)) / 3_600_000)
      })
      expect(spans).toContain(24)
    })
  })

  test('[MON-12] [MON-13] View Logs shows the lines newest first, by level and text', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'View Logs' }))
    await screen.findByRole('table', { name: 'Logs' })
    expect(lineTexts()).toEqual(['disk is full', 'moved aside', 'POST /api/orders 201'])
    await user.click(screen.getByRole('radio', { name: 'Warn 1' }))
    expect(lineTexts()).toEqual(['disk is full', 'moved aside'])
    await user.type(screen.getByLabelText('Filter by text'), 'DISK')
    expect(lineTexts()).toEqual(['disk is full'])
    await user.type(screen.getByLabelText('Filter by text'), ' nothing')
    expect(screen.getByText('No line matches')).toBeVisible()
  })

  test('[MON-14] a line opens its request with its audit records', async () => {
    const { api, user } = open('?view=logs')
    api.on(auditLogs.list, {
      logs: [{ id: 7, at: '2026-03-02T14:02:01Z', actor: 'local', action: 'orders.place', target: 'O-1' }],
    })
    await user.click(await screen.findByRole('button', { name: '9f31c2d0' }))
    const drawer = within(await screen.findByRole('complementary', { name: 'Request 9f31c2d0' }))
    expect(await drawer.findByText(/#7 .* local orders.place O-1/)).toBeVisible()
    expect(drawer.getByText(/INFO POST \/api\/orders 201/)).toBeVisible()
    expect(api.calls(auditLogs.list)[0]?.query).toBe('?request_id=9f31c2d0')
  })

  test('[MON-12] without Follow the list stands still', async () => {
    const { api, user } = open('?view=logs')
    await user.click(await screen.findByRole('switch', { name: 'Follow' }))
    api.on(monitoring.logs, {
      lines: [...LINES, { ...LINES[0], id: 4, at: '2026-03-02T14:02:09Z', text: 'later' } as LogLine],
    })
    await waitFor(() => expect(api.calls(monitoring.logs).length).toBeGreaterThan(1))
    expect(lineTexts()).not.toContain('later')
    await user.click(screen.getByRole('switch', { name: 'Follow' }))
    await waitFor(() => expect(lineTexts()[0]).toBe('later'))
  })

  test('[MON-16] View Reports downloads a day and the support bundle', async () => {
    const { api, user } = open('?view=reports')
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    const file = () =>
      new Response('x', { headers: { 'content-disposition': 'attachment; filename="binnacle-daily.csv"' } })
    api.answer(monitoring.dailyReport, file)
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['binnacle-daily.csv downloaded']))
    expect(api.calls(monitoring.dailyReport)[0]?.query).toMatch(/^\?date=\d{4}-\d\d-\d\d&format=csv$/)
    api.fail(monitoring.supportBundle)
    await user.click(screen.getByRole('button', { name: 'Download bundle' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to download the report']))
  })

  test('[MON-19] View Alerts lists open and resolved alerts and acknowledges one by the same call', async () => {
    const { api, user } = open('?view=alerts', ['monitoring', 'samples', 'alerts'])
    api.on(alerts.summary, { ...NO_ALERTS, open: 1, resolved: 3, alerts: [ALERT] })
    api.on(alerts.resolved, { alerts: [{ ...ALERT, id: 6, state: 'resolved', title: 'Disk below 1 GB' }] })
    api.on(alerts.acknowledge, { ...ALERT, state: 'acknowledged' })
    await user.click(await screen.findByRole('button', { name: 'Acknowledge Exposure above 60%' }))
    await waitFor(() => expect(api.calls(alerts.acknowledge)).toHaveLength(1))
    expect(api.calls(alerts.acknowledge)[0]?.path).toBe('/api/alerts/7/acknowledge')
    await user.click(screen.getByRole('tab', { name: 'Resolved 3' }))
    expect(await screen.findByText('Disk below 1 GB')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Open Alerts' })).toBeEnabled()
  })

  test('[MON-19] without the alerts of the engine View Alerts says so', async () => {
    const { api } = open('?view=alerts')
    expect(await screen.findByText('Not offered by this engine')).toBeVisible()
    expect(api.calls(alerts.summary)).toEqual([])
  })

  test('[MON-3] figures that cannot be loaded say so, and the buttons stay', async () => {
    const api = createFakeApi()
    api.on(service.capabilities, { capabilities: ['monitoring'] })
    api.fail(monitoring.read)
    renderConsole('/admin/monitoring')
    expect(await screen.findByText('The figures could not be loaded')).toBeVisible()
    expect(screen.getByRole('button', { name: 'View Logs' })).toBeEnabled()
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })
})

describe('texts', () => {
  test('sizes, rates and durations', () => {
    expect([formatSize(432_013_312), formatSize(2_147_483_648)]).toEqual(['412 MB', '2.0 GB'])
    expect([formatRate(0), formatRate(38.25), formatRate(1234.5)]).toEqual(['0.0', '38.3', '1,235'])
    expect(formatSince('2026-03-01T00:00:00Z', '2026-03-02T01:02:30Z')).toBe('1 d 01:02')
  })

  test('[MON-13] a fatal line is at least an error', () => {
    const fatal: LogLine = { id: 1, at: '', level: 'fatal', event: '', text: '', request_id: null }
    expect(filterLines([fatal], 'error', '')).toEqual([fatal])
  })
})
