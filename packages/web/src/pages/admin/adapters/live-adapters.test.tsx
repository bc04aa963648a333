import { type Adapter, type AdapterTest, adapters, samples, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const NAMES = ['Binance', 'Bybit', 'OKX', 'Coinbase', 'Interactive Brokers'] as const

const CONFIG: NonNullable<Adapter['config']> = {
  version: 4,
  has_api_key: true,
  has_secret: true,
  reconnect_after_s: 1,
  reconnect_max_s: 60,
  faults: { latency_ms: 0, clock_skew_ms: 0, wrong_key: false, missing_symbols: [], dropped: false },
  changed_by: 'local',
}

function anAdapter(name: string, given: Partial<Adapter> = {}): Adapter {
  return {
    id: name.toLowerCase().replace(' ', '-'),
    name,
    type: name === 'Interactive Brokers' ? 'Broker' : 'Exchange',
    status: 'connected',
    mode: 'simulated',
    state: 'connected',
    tries: 0,
    reconnects: 1,
    last_message_at: new Date().toISOString(),
    messages_per_second: 81,
    clock_skew_ms: 11,
    latency: {
      p50: 38,
      p95: 71,
      minutes: [36, 38, 40],
      histogram: Array.from({ length: 21 }, (_, bin) => (bin === 3 ? 40 : 0)),
    },
    instruments: ['BTCUSDT', 'BTCUSDT-PERP'],
    working_orders: [],
    positions: [],
    log: [],
    config: CONFIG,
    ...given,
  }
}

const OFF: Partial<Adapter> = {
  status: 'disconnected',
  state: 'off',
  last_message_at: undefined,
  messages_per_second: 0,
  clock_skew_ms: undefined,
  latency: { p50: null, p95: null, minutes: [], histogram: [] },
}

const PASSED: AdapterTest = {
  at: '2026-11-16T14:01:40.000Z',
  by: 'local',
  passed: true,
  steps: [
    { name: 'Connection', result: 'passed', detail: 'The simulated venue answered.', ms: 41 },
    {
      name: 'TLS',
      result: 'not-applicable',
      detail: 'A simulated venue is reached without a network.',
      ms: null,
    },
  ],
}

let api: FakeApi
let listed: Adapter[]

beforeEach(() => {
  listed = NAMES.map((name, index) => anAdapter(name, index > 2 ? OFF : {}))
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['adapters'] })
  api.on(adapters.list, () => ({ adapters: listed }))
})
afterEach(clearToasts)

function replace(adapter: Adapter): Adapter {
  listed = listed.map((each) => (each.id === adapter.id ? adapter : each))
  return adapter
}

const row = (name: string) => {
  const found = screen
    .getAllByRole('row')
    .find((each) => within(each).queryByRole('button', { name }) !== null)
  if (!found) throw new Error(`${name} is in no row`)
  return within(found)
}

async function open() {
  const { user } = renderConsole('/admin/adapters')
  await screen.findByRole('table', { name: 'Exchanges and brokers' })
  return user
}

test('[ADAPT-300] the last message grows older and the screen is stale while the server does not answer', async () => {
  freezeDate('2026-11-16T12:00:00Z')
  onTestFinished(() => void vi.useRealTimers())
  listed = [anAdapter('Binance', { last_message_at: '2026-11-16T11:59:59.000Z' })]
  await open()
  expect(row('Binance').getByText('1.0 s')).toBeVisible()
  expect(screen.getByRole('status', { name: 'Freshness' })).toHaveTextContent('Live')
  api.drop(adapters.list)
  vi.setSystemTime(Date.parse('2026-11-16T12:01:00Z'))
  await waitFor(() => expect(row('Binance').getByRole('img', { name: 'stale' })).toBeVisible())
  expect(row('Binance').queryByText('1.0 s')).toBeNull()
  await waitFor(() =>
    expect(screen.getByRole('status', { name: 'Freshness' })).toHaveTextContent(/^Stale · as of .*12:00:00/),
  )
})

test('[ADAPT-21] [CAP-7] each venue has its mode, state, age, latency and reconnects; what is unknown is a dash', async () => {
  replace(
    anAdapter('OKX', {
      ...OFF,
      state: 'waiting',
      tries: 2,
      next_try_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  )
  await open()
  expect(screen.getByText('2 connected')).toBeVisible()
  expect(screen.getByText('3 disconnected')).toBeVisible()
  expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  expect(row('Binance').getByText('Exchange, simulated')).toBeVisible()
  expect(row('Binance').getByText('connected')).toBeVisible()
  expect(row('Binance').getByText('skew +11 ms')).toBeVisible()
  expect(row('Binance').getByText('81/s')).toBeVisible()
  expect(row('Binance').getByText('71')).toBeVisible()
  expect(row('OKX').getByText(/^back-off, try 3 in \d+ s$/)).toBeVisible()
  expect(row('Interactive Brokers').getByText('Broker, simulated')).toBeVisible()
  expect(row('Coinbase').getByText('switched off')).toBeVisible()
  expect(row('Coinbase').getByText('never')).toBeVisible()
  expect(row('Coinbase').getByText('no data yet')).toBeVisible()
  expect(row('Coinbase').getAllByText('—')).toHaveLength(2)
  for (const name of ['Toggle', 'Test', 'Config'])
    expect(row('OKX').getByRole('button', { name })).toBeEnabled()
  for (const name of ['Connect All', 'Disconnect All', 'Test All'])
    expect(screen.getByRole('button', { name })).toBeEnabled()
})

test('[ADAPT-22] Toggle off names the working orders and positions there first', async () => {
  const order = { id: 'O-7', instrument: 'BTCUSDT', side: 'BUY', quantity: 0.5 }
  const position = { id: 'P-2', instrument: 'BTCUSDT-PERP', side: 'LONG', quantity: 0.1 }
  replace(anAdapter('Binance', { working_orders: [order], positions: [position] }))
  api.on(adapters.disconnect, () => replace(anAdapter('Binance', OFF)))
  const user = await open()
  await user.click(row('Binance').getByRole('button', { name: 'Toggle' }))
  const question = await screen.findByRole('dialog')
  expect(question).toHaveTextContent('Disconnect Binance?')
  expect(question).toHaveTextContent('1 working order is cancelled:')
  expect(question).toHaveTextContent('O-7: BUY 0.5 BTCUSDT')
  expect(question).toHaveTextContent('1 open position stays')
  expect(question).toHaveTextContent('P-2: LONG 0.1 BTCUSDT-PERP')
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(api.calls(adapters.disconnect)).toEqual([])
  await user.click(row('Binance').getByRole('button', { name: 'Toggle' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['Binance disconnected']))
  expect(row('Binance').getByText('disconnected')).toBeVisible()
})

test('[ADAPT-22] Toggle on asks nothing, and a venue that does not answer yet is not reported as connected', async () => {
  api.on(adapters.connect, () => replace(anAdapter('Coinbase', { ...OFF, state: 'waiting' })))
  const user = await open()
  await user.click(row('Coinbase').getByRole('button', { name: 'Toggle' }))
  await waitFor(() =>
    expect(toastsOfType('warning')).toEqual(['Coinbase is not connected yet; it tries again by itself']),
  )
  expect(toastsOfType('success')).toEqual([])
})

test('[ADAPT-23] [CAP-9] Test shows each step with result and time, and the specified message when passed', async () => {
  api.on(adapters.test, () => {
    replace(anAdapter('OKX', { last_test: PASSED }))
    return PASSED
  })
  const user = await open()
  await user.click(row('OKX').getByRole('button', { name: 'Test' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['OKX connection test passed!']))
  const steps = within(await screen.findByRole('list', { name: 'Test of OKX' })).getAllByRole('listitem')
  expect(steps[0]).toHaveTextContent('Connection')
  expect(steps[0]).toHaveTextContent('41 ms')
  expect(steps[1]).toHaveTextContent('not applicable')
})

test('[ADAPT-23] a failed test names its steps', async () => {
  const failed = {
    ...PASSED,
    passed: false,
    steps: [{ name: 'Clock', result: 'failed', detail: 'Skew.', ms: 4 }],
  }
  api.on(adapters.test, failed)
  const user = await open()
  await user.click(row('OKX').getByRole('button', { name: 'Test' }))
  await waitFor(() => expect(toastsOfType('warning')).toEqual(['OKX connection test failed: Clock']))
})

test('[NAUT-108] an adapter of a node has no Config, says where it is configured, and keeps its orders', async () => {
  const orders = [{ id: 'C-1', instrument: 'BTCUSDT-PERP.SIM', side: 'BUY', quantity: 0.1 }]
  listed = [
    anAdapter('SIM', {
      type: 'Paper venue',
      config: undefined,
      keeps_orders: true,
      working_orders: orders,
      latency: undefined,
      reconnects: undefined,
      state: undefined,
    }),
  ]
  const user = await open()
  expect(row('SIM').queryByRole('button', { name: 'Config' })).toBeNull()
  screen.getByText("A node's own configuration decides about this adapter. Change it where the node runs.")
  await user.click(row('SIM').getByRole('button', { name: 'Toggle' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('1 working order stays at the venue and cannot be cancelled until it is connected again:')
})

test('[ADAPT-24] Config sends faults and only the credentials that were typed, and shows none', async () => {
  api.on(adapters.configure, () => replace(anAdapter('OKX', { config: { ...CONFIG, version: 5 } })))
  const user = await open()
  await user.click(row('OKX').getByRole('button', { name: 'Config' }))
  const form = within(await screen.findByRole('form', { name: 'Configuration of OKX' }))
  expect(form.getByLabelText('API key')).toHaveFocus()
  expect(form.getByLabelText('API key')).toHaveValue('')
  expect(form.getByLabelText('API key')).toHaveAttribute('placeholder', 'stored')
  expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await user.type(form.getByLabelText('Secret'), 'hunter2')
  const skew = form.getByLabelText('Clock skew, ms')
  await user.clear(skew)
  await user.type(skew, '70000')
  expect(form.getByText('Enter a whole number from -60000 to 60000.')).toBeVisible()
  expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await user.clear(skew)
  await user.type(skew, '900')
  await user.click(form.getByRole('switch', { name: 'Missing symbol BTCUSDT-PERP' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['OKX configured']))
  expect(api.calls(adapters.configure)[0]?.body).toEqual({
    version: 4,
    secret: 'hunter2',
    reconnect_after_s: 1,
    reconnect_max_s: 60,
    faults: {
      latency_ms: 0,
      clock_skew_ms: 900,
      wrong_key: false,
      missing_symbols: ['BTCUSDT-PERP'],
      dropped: false,
    },
  })
  expect(form.getByLabelText('Secret')).toHaveValue('')
  expect(await screen.findByText('version 5, by local')).toBeVisible()
})

test('[ADAPT-25] the bulk actions report each adapter, and Disconnect All asks first', async () => {
  const results = NAMES.map((name, index) => ({
    id: anAdapter(name).id,
    name,
    ok: index !== 1,
    message: index === 1 ? 'failed: Connection' : 'passed',
  }))
  api.on(adapters.testAll, { results })
  api.on(adapters.disconnectAll, {
    results: results.map((each) => ({ ...each, ok: true, message: 'disconnected' })),
  })
  const user = await open()
  await user.click(screen.getByRole('button', { name: 'Test All' }))
  const report = await screen.findByRole('alert')
  expect(report).toHaveTextContent('Bybit: failed: Connection')
  await waitFor(() => expect(toastsOfType('warning')).toEqual(['1 of 5 adapters need attention']))
  await user.click(screen.getByRole('button', { name: 'Disconnect All' }))
  const question = await screen.findByRole('dialog')
  expect(question).toHaveTextContent('Disconnect all adapters?')
  await user.click(within(question).getByRole('button', { name: 'Disconnect' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['All adapters disconnected']))
})

test('[ADAPT-27] the recorded latency of the chosen adapter is drawn over the chosen time', async () => {
  const latency = { p50: 38, p95: 71, minutes: [], histogram: [] }
  for (const [name, series] of [
    ['Binance', 'adapter.binance.latency'],
    ['Bybit', 'adapter.bybit.latency'],
  ] as const)
    replace(anAdapter(name, { latency: { ...latency, series } }))
  api.on(samples.read, {
    from: '2026-11-16T13:00:00.000Z',
    to: '2026-11-16T14:00:00.000Z',
    step_s: 15,
    gap_s: 45,
    series: [{ name: 'adapter.binance.latency', points: [[1_794_836_000, 41.6, 40, 43]], before: null }],
    marks: [],
  })
  const { user } = renderConsole('/admin/adapters')
  const sentence = 'Median round trip to Binance over time; last 42 ms'
  expect(await screen.findByRole('figure', { name: sentence })).toBeVisible()
  await user.click(screen.getByRole('radio', { name: '24h' }))
  await waitFor(() => expect(api.calls(samples.read)).toHaveLength(2))
  expect(api.calls(samples.read)[1]?.query).toContain('series=adapter.binance.latency')
  await user.click(screen.getByRole('button', { name: 'Bybit' }))
  expect(await screen.findByText('Nothing was recorded in this time.')).toBeVisible()
})

test('[ADAPT-28] what was typed stays while another adapter is chosen', async () => {
  const { user } = renderConsole('/admin/adapters')
  const field = () => screen.getByLabelText('Clock skew, ms')
  await user.clear(await screen.findByLabelText('Clock skew, ms'))
  await user.type(field(), '900')
  await user.click(screen.getByRole('button', { name: 'Bybit' }))
  expect(field()).toHaveValue('0')
  await user.click(screen.getByRole('button', { name: 'Binance' }))
  expect(field()).toHaveValue('900')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(field()).toHaveValue('0')
})
