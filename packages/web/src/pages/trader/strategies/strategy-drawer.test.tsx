import { auditLogs, orderHistory, service, strategies, strategyTypes } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal } from '#testkit/replies.ts'
import { anOrder, aStrategy } from '#testkit/trading.ts'

let api: FakeApi

const MOMENTUM = {
  type: 'momentum',
  title: 'Momentum',
  about: 'Follows the trend.',
  earns_when: '',
  loses_when: '',
  parameters: [
    { name: 'fast_bars', label: 'Fast average (bars)', kind: 'integer' as const, default: 20, sentence: '' },
  ],
}

beforeEach(() => {
  api = createFakeApi()
  api.on(strategies.list, { strategies: [aStrategy({ id: 'S-1', name: 'Trend', config: { fast_bars: 7 } })] })
  api.on(strategyTypes.list, { strategy_types: [MOMENTUM] })
  api.on(service.capabilities, {
    version: 'v1.0.0',
    capabilities: ['problems', 'strategy-types', 'order-history', 'strategy-loss-limit'],
  })
})

test('[STRAT-52] Clone opens the form with the settings of the strategy; a name that is taken is refused there', async () => {
  const { user } = renderConsole('/trader/strategies')
  api.answer(strategies.add, () => fieldRefusal({ name: 'The name "Trend copy" is already used.' }))
  await user.click(await screen.findByRole('button', { name: 'Clone' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Strategy' }))
  expect(dialog.getByLabelText('Name')).toHaveValue('Trend copy')
  await user.click(dialog.getByRole('button', { name: 'Add Strategy' }))
  expect(await dialog.findByText('The name "Trend copy" is already used.')).toBeVisible()
  expect(api.calls(strategies.add)[0]?.body).toMatchObject({
    name: 'Trend copy',
    type: 'momentum',
    config: { fast_bars: 7 },
  })
})

test('[STRAT-53] Details shows parameters by their labels and the latest orders with their reasons', async () => {
  api.on(orderHistory.list, {
    orders: [anOrder({ id: 'O-5', status: 'REJECTED', reason: { sentence: 'Trading is halted.' } })],
    counts: { PENDING: 0, FILLED: 0, CANCELLED: 0, REJECTED: 1 },
  })
  const { user } = renderConsole('/trader/strategies')
  await user.click(await screen.findByRole('button', { name: 'Details' }))
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  expect(drawer.getByText('Fast average (bars)')).toBeVisible()
  expect(await drawer.findByText('Trading is halted.')).toBeVisible()
  expect(api.calls(orderHistory.list)[0]?.query).toContain('strategy=S-1')
  expect(drawer.getByRole('link', { name: 'All its orders' })).toHaveAttribute(
    'href',
    '/trader/orders?strategy=S-1',
  )
  await user.click(drawer.getByRole('button', { name: 'Close Trend' }))
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Trend' })).toBeNull())
})

test('[STRAT-55] Details lists what was done with the strategy, with the changed values', async () => {
  const record = { actor: 'local', entity: 'strategy', target: 'S-1', at: '2026-03-01T10:00:00.000Z' }
  api.on(auditLogs.list, {
    logs: [
      {
        ...record,
        id: 4,
        action: 'strategies.reconfigure',
        before: { config: { fast_bars: 7, slow_bars: 60 } },
        after: { config: { fast_bars: 9, slow_bars: 60 }, journal_entry: 25, also: { OrderCancelled: 1 } },
      },
      {
        ...record,
        id: 3,
        action: 'strategies.limitLoss',
        before: { loss_limit: null },
        after: { loss_limit: 250.5 },
      },
      { ...record, id: 2, action: 'emergency.start', before: { status: 'running' }, after: null },
      { ...record, id: 1, action: 'strategies.add', before: null, after: { name: 'Trend' } },
    ],
  })
  renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  expect(await drawer.findByText('Settings changed')).toBeVisible()
  expect(drawer.getByText('Fast average (bars) 7 → 9')).toBeVisible()
  expect(drawer.getByText('Loss limit none → 250.5')).toBeVisible()
  expect(drawer.getByText('emergency.start')).toBeVisible()
  expect(drawer.getByText('Added')).toBeVisible()
  const query = new URLSearchParams(api.calls(auditLogs.list)[0]?.query)
  expect(Object.fromEntries(query)).toMatchObject({ entity: 'strategy', target: 'S-1' })
})

test('[STRAT-55] a log that cannot be loaded says so, and one without records too', async () => {
  api.fail(auditLogs.list)
  const { queryClient } = renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  expect(await drawer.findByText('The log could not be loaded.')).toBeVisible()
  api.on(auditLogs.list, { logs: [] })
  await queryClient.refetchQueries({ queryKey: ['audit-logs'] })
  expect(await drawer.findByText('Nothing is recorded.')).toBeVisible()
})

const LINE = { at: '2026-03-01T10:00:00.000Z', journal_seq: 9, by: null }
const LOG_ORDER = {
  id: 'O-7',
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'MARKET',
  quantity: 0.01,
  price: null,
}

test('[STRAT-60] Details has the log of the strategy, loads it again with its row and filters it', async () => {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['strategy-types', 'strategy-log'] })
  api.on(strategies.log, {
    is_complete: false,
    lines: [
      {
        ...LINE,
        kind: 'order',
        event: 'order submitted',
        order: LOG_ORDER,
        intent: { type: 'target', position: 0.02 },
        signal: { fast: 67_001.25 },
      },
      {
        ...LINE,
        kind: 'denial',
        event: 'order denied',
        order: { ...LOG_ORDER, id: 'O-6' },
        sentence: 'Above Max Order Size.',
      },
      {
        ...LINE,
        kind: 'state',
        event: 'reconfigured',
        by: 'local',
        changes: [{ name: 'fast_bars', before: '7', after: '9' }],
      },
    ],
  })
  const { user, queryClient } = renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  expect(await drawer.findByText('fast 67,001.25, wanted a position of 0.02')).toBeVisible()
  expect(drawer.getByText('Above Max Order Size.')).toBeVisible()
  expect(drawer.getByText('Fast average (bars) 7 → 9')).toBeVisible()
  expect(drawer.getByRole('link', { name: 'O-7' })).toHaveAttribute('href', '/trader/orders?order=O-7')
  expect(drawer.getByText('Older lines are not shown.')).toBeVisible()
  expect(api.calls(auditLogs.list)).toEqual([])
  const loaded = api.calls(strategies.log).length
  act(() => {
    const row = aStrategy({ id: 'S-1', name: 'Trend', config: { fast_bars: 7 }, status: 'error' })
    queryClient.setQueryData(['strategies'], [row])
  })
  await waitFor(() => expect(api.calls(strategies.log).length).toBeGreaterThan(loaded))
  await user.click(drawer.getByRole('radio', { name: 'Denials' }))
  await waitFor(() => expect(api.calls(strategies.log).at(-1)?.query).toBe('?kind=denial'))
})

test('[RISK-68] Details sets the loss limit of a strategy, and an empty field removes it', async () => {
  api.on(strategies.limitLoss, {})
  const { user } = renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  const save = drawer.getByRole('button', { name: 'Save Loss Limit' })
  expect(save).toBeDisabled()
  await user.type(drawer.getByLabelText('Loss limit'), '250.5')
  await user.click(save)
  await waitFor(() => expect(api.calls(strategies.limitLoss)[0]?.body).toEqual({ limit: 250.5 }))
})

test('[SHELL-71] a loss limit that is no number is refused at its field, and nothing is sent', async () => {
  const { user } = renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  const field = drawer.getByLabelText('Loss limit')
  await user.type(field, '250')
  // As browsers do with '1-': no value, and not empty. jsdom has no such text.
  Object.defineProperty(field, 'validity', { value: { badInput: true } })
  await user.clear(field)
  expect(field).toHaveAccessibleDescription('Enter a number such as 100, or leave it empty.')
  await user.click(drawer.getByRole('button', { name: 'Save Loss Limit' }))
  expect(api.calls(strategies.limitLoss)).toEqual([])
})

test('[STRAT-54] Details renames a strategy; a name that is taken is refused at the field', async () => {
  api.answer(strategies.rename, () => fieldRefusal({ name: 'The name "Other" is already used.' }))
  const { user } = renderConsole('/trader/strategies?strategy=S-1')
  const drawer = within(await screen.findByRole('complementary', { name: 'Trend' }))
  const rename = drawer.getByRole('button', { name: 'Rename' })
  expect(rename).toBeDisabled()
  await user.clear(drawer.getByLabelText('Name'))
  await user.type(drawer.getByLabelText('Name'), 'Other')
  await user.click(rename)
  expect(await drawer.findByText('The name "Other" is already used.')).toBeVisible()
  expect(api.calls(strategies.rename)[0]).toMatchObject({
    path: '/api/strategies/S-1/name',
    body: { name: 'Other' },
  })
})
