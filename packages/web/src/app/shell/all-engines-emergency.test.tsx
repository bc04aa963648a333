import {
  type Emergency,
  type EngineEntry,
  emergency,
  engines,
  service,
  tradingState,
} from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi, type RecordedCall } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const FLAT: Emergency = {
  is_active: false,
  started_at: null,
  ended_at: null,
  outcome: null,
  resumed_at: null,
  venues: [
    {
      venue: 'SIM',
      orders: 2,
      positions: 1,
      exposure: 10,
      orders_at_start: 0,
      positions_at_start: 0,
      orders_left: 0,
      positions_left: 0,
    },
  ],
  open: [],
}

const UNREACHABLE = {
  type: 'about:blank',
  title: 'The engine cannot be reached',
  status: 503,
  code: 'engine.unreachable',
  detail: "The engine 'c' cannot be reached, so nothing was done.",
}

let api: FakeApi
let states: Record<string, string | null>

const engineOf = ({ headers }: RecordedCall) => headers['binnacle-engine'] ?? 'a'
const entries = (): EngineEntry[] =>
  Object.entries(states).map(([name, trading_state], index) => ({
    name,
    kind: 'embedded',
    is_default: index === 0,
    mode: 'simulated',
    reason: null,
    age_s: 0,
    state: trading_state === null ? 'unreachable' : 'running',
    trading_state,
  }))

beforeEach(() => {
  states = { a: 'ACTIVE', b: 'REDUCING', c: null }
  api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['trading-state', 'emergency', 'engines', 'problems'] })
  api.on(engines.list, () => ({ engines: entries() }))
  api.on(tradingState.get, { state: 'ACTIVE', reason: null, since: null })
  api.answer(emergency.get, (call) => (engineOf(call) === 'c' ? refusal() : Response.json(FLAT)))
  api.answer(tradingState.change, (call) => {
    if (engineOf(call) === 'c') return refusal()
    const { state } = call.body as { state: string }
    states[engineOf(call)] = state
    return Response.json({ state, reason: null, since: null })
  })
})

afterEach(clearToasts)

function refusal(): Response {
  return Response.json(UNREACHABLE, {
    status: 503,
    headers: { 'content-type': 'application/problem+json' },
  })
}

async function openForAll() {
  const view = renderConsole('/docs')
  await view.user.click(await screen.findByRole('button', { name: 'Emergency' }))
  const drawer = within(await screen.findByRole('complementary', { name: 'Emergency control' }))
  await view.user.click(await drawer.findByRole('radio', { name: 'All engines' }))
  return { ...view, drawer }
}

const rowsOf = (drawer: ReturnType<typeof within>) =>
  within(drawer.getByRole('table', { name: 'Engines' }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent)

test('[ENGS-14] the emergency control shows state, orders and positions of every engine', async () => {
  const { drawer } = await openForAll()
  await waitFor(() =>
    expect(rowsOf(drawer)).toEqual([
      'EngineStateOrdersPositions',
      'aACTIVE21',
      'bREDUCING21',
      'cunreachable——',
    ]),
  )
})

test('[ENGS-14] a halt of all engines says per engine what came of it', async () => {
  const { user, drawer } = await openForAll()
  await user.type(drawer.getByRole('textbox'), 'HALT{Enter}')
  const answers = within(drawer.getByRole('list', { name: 'What each engine answered' }))
  await waitFor(() =>
    expect(answers.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'aHalted.',
      'bHalted.',
      "cThe engine 'c' cannot be reached, so nothing was done.",
    ]),
  )
  await waitFor(() => expect(rowsOf(drawer)).toContain('aHALTED21'))
})

test('[ENGS-14] an engine that does not answer does not stop the others', async () => {
  api.answer(emergency.start, (call) =>
    engineOf(call) === 'b' ? new Promise(() => {}) : Response.json({ ...FLAT, is_active: true }),
  )
  const { user, drawer } = await openForAll()
  await user.type(drawer.getByRole('textbox'), 'close all{Enter}')
  const answers = within(drawer.getByRole('list', { name: 'What each engine answered' }))
  await answers.findByText('Closing has begun.', { exact: false, selector: 'li:first-child' })
  expect(api.calls(emergency.start).map(engineOf).toSorted()).toEqual(['a', 'b', 'c'])
  expect(answers.getAllByRole('listitem')[1]).toHaveTextContent('bSent, waiting for the answer.')
})

test('[ENGS-56] once an engine has closed everything its answer says so, and an earlier closing says nothing', async () => {
  const started = '2026-01-02T10:00:00.000Z'
  const earlier = { started_at: '2026-01-01T10:00:00.000Z', ended_at: '2026-01-01T10:00:01.000Z' }
  let after: Emergency = { ...FLAT, ...earlier, outcome: 'flat' }
  states = { a: 'ACTIVE', b: 'ACTIVE' }
  api.answer(emergency.get, (call) =>
    Response.json(engineOf(call) === 'a' ? after : { ...FLAT, ...earlier, outcome: 'flat' }),
  )
  api.answer(emergency.start, () => {
    after = { ...FLAT, started_at: started, ended_at: '2026-01-02T10:00:02.000Z', outcome: 'flat' }
    return Response.json({ ...FLAT, is_active: true, started_at: started })
  })
  const { user, drawer } = await openForAll()
  await user.type(drawer.getByRole('textbox'), 'close all{Enter}')
  const answers = within(drawer.getByRole('list', { name: 'What each engine answered' }))
  await waitFor(() =>
    expect(answers.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'aAll closed.',
      'bClosing has begun.',
    ]),
  )
})

test('[ENGS-14] a lost answer is named with its engine', async () => {
  api.drop(tradingState.change)
  states = { a: 'ACTIVE', b: 'HALTED' }
  const { user, drawer } = await openForAll()
  await user.click(drawer.getByRole('button', { name: 'Reduce Only on all engines' }))
  await waitFor(() =>
    expect(toastsOfType('error')).toEqual([
      'a: No answer. It may have become reduce-only; check it before trying again.',
    ]),
  )
  expect(api.calls(tradingState.change).map(engineOf)).toEqual(['a'])
})
