import { type EngineEntry, engine, engines, orders, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { resetChosenEngine } from '#data/transport/chosen-engine.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { aFakeStream } from '#testkit/fake-stream.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { anEngine } from '#testkit/trading.ts'

const DESK: EngineEntry = {
  name: 'desk',
  kind: 'embedded',
  is_default: true,
  mode: 'simulated',
  state: 'running',
  reason: null,
  trading_state: 'ACTIVE',
  age_s: 0,
}
const TOKYO: EngineEntry = {
  name: 'tokyo',
  kind: 'nautilus',
  is_default: false,
  mode: 'live',
  state: 'disconnected',
  reason: 'the node does not answer',
  trading_state: 'HALTED',
  age_s: 12,
}

afterEach(() => {
  vi.unstubAllGlobals()
})

function openConsole(listed: EngineEntry[], chosen?: string) {
  if (chosen !== undefined) sessionStorage.setItem('binnacle.engine', chosen)
  resetChosenEngine()
  const api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['engines', 'stream'] })
  api.on(engines.list, { engines: listed })
  api.on(engine.info, anEngine({}))
  api.on(orders.list, { orders: [] })
  const stream = aFakeStream()
  const opened: string[] = []
  vi.stubGlobal(
    'WebSocket',
    Object.assign(
      function FakeWebSocket(url: string) {
        opened.push(url)
        return stream.open(url)
      },
      { OPEN: 1 },
    ),
  )
  return { api, opened, ...renderConsole('/trader/orders') }
}

const engineOf = (api: FakeApi, call: Parameters<FakeApi['calls']>[0]) => [
  ...new Set(api.calls(call).map(({ headers }) => headers['binnacle-engine'])),
]

test('[ENGS-13] the header names engine, state and mode, and offers the others', async () => {
  openConsole([DESK, TOKYO])
  const header = within(await screen.findByRole('banner'))
  const choice = await header.findByRole('combobox', { name: 'Engine' })
  expect(choice).toHaveDisplayValue('desk · running · simulated')
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['desk · running · simulated', 'tokyo · disconnected · live · HALTED'])
})

test('[ENGS-52] an engine that another console commands is read-only in the header and says why on every screen', async () => {
  const { api } = openConsole([DESK, { ...TOKYO, state: 'read-only', trading_state: 'ACTIVE' }], 'tokyo')
  const reason = 'another console sends the commands of this node'
  api.on(engine.info, anEngine({ status: 'read-only', read_only_reason: reason }))
  const header = within(await screen.findByRole('banner'))
  const choice = await header.findByRole('combobox', { name: 'Engine' })
  expect(choice).toHaveDisplayValue('tokyo · read-only · live')
  expect(await header.findByText('Read only')).toBeVisible()
  expect(header.queryByText('Live')).toBeNull()
  expect(await screen.findByRole('region', { name: 'Features' })).toHaveTextContent(
    /^This console only reads\. Another console sends the commands of this node\. What is shown is current; commands of this one are refused\.$/,
  )
})

test('[ENGS-13] a backend with one engine has no choice', async () => {
  const { api } = openConsole([DESK])
  await waitFor(() => expect(api.calls(engines.list)).toHaveLength(1))
  await screen.findByRole('heading', { name: 'Orders' })
  expect(screen.queryByRole('combobox', { name: 'Engine' })).toBeNull()
})

test('[ENGS-12] without a choice no call names an engine', async () => {
  const { api, opened } = openConsole([DESK, TOKYO])
  await screen.findByRole('combobox', { name: 'Engine' })
  await waitFor(() => expect(opened).toHaveLength(1))
  expect(opened[0]).not.toContain('?')
  expect(api.everyCall().filter(({ headers }) => 'binnacle-engine' in headers)).toEqual([])
})

test('[ENGS-12] the calls and the stream of a tab name its engine, the list of engines does not', async () => {
  const { api, opened } = openConsole([DESK, TOKYO], 'tokyo')
  const choice = await screen.findByRole('combobox', { name: 'Engine' })
  expect(choice).toHaveDisplayValue('tokyo · disconnected · live · HALTED')
  await waitFor(() => expect(opened).toEqual([`ws://${window.location.host}/api/stream?engine=tokyo`]))
  await waitFor(() => expect(engineOf(api, orders.list)).toEqual(['tokyo']))
  expect(engineOf(api, service.capabilities)).toEqual(['tokyo'])
  expect(engineOf(api, engines.list)).toEqual([undefined])
})

test('[ENGS-12] the choice is kept for this tab and for new ones', async () => {
  const { user } = openConsole([DESK, TOKYO])
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Engine' }), 'tokyo')
  expect(sessionStorage.getItem('binnacle.engine')).toBe('tokyo')
  expect(localStorage.getItem('binnacle.engine')).toBe('tokyo')
})

test('[ENGS-12] an engine that the backend no longer has is not chosen any more', async () => {
  sessionStorage.setItem('binnacle.engine', 'gone')
  resetChosenEngine()
  const api = createFakeApi()
  const problem = { type: 'about:blank', title: 'none', status: 422, code: 'engine.not-configured' }
  api.answer(service.capabilities, () =>
    Response.json(problem, { status: 422, headers: { 'content-type': 'application/problem+json' } }),
  )
  renderConsole('/trader/orders')
  await waitFor(() => expect(sessionStorage.getItem('binnacle.engine')).toBeNull())
})
