import { instruments, type StrategyType, service, strategies, strategyTypes } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal, holdReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { aStrategy } from '#testkit/trading.ts'

const momentum: StrategyType = {
  type: 'momentum',
  title: 'Momentum',
  about: 'Follows the trend.',
  earns_when: '',
  loses_when: '',
  parameters: [
    { name: 'fast_bars', kind: 'integer', sentence: 'How fast.', default: 20, min: 1, max: 1000 },
    { name: 'instrument', kind: 'instrument', sentence: 'What it trades.', default: 'BTCUSDT-PERP' },
    { name: 'venues', kind: 'instruments', sentence: 'Where.', default: ['A', 'B'], min: 2, max: 5 },
    { name: 'own', kind: 'json', sentence: 'Anything.', default: {} },
  ],
}

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['strategy-types', 'problems'] })
  api.on(strategyTypes.list, { strategy_types: [momentum] })
  api.on(instruments.list, { instruments: [{ id: 'BTCUSDT-PERP', venue: 'BINANCE', kind: 'perpetual' }] })
  api.on(strategies.list, { strategies: [aStrategy({ config: { fast_bars: 7 } })] })
  api.on(strategies.deleted, { strategies: [] })
})

afterEach(clearToasts)

test('[SHELL-115] a card has all its buttons before the types are loaded', async () => {
  const release = holdReply(api, strategyTypes.list, { strategy_types: [momentum] })
  const { user } = renderConsole('/trader/strategies')
  const configure = await screen.findByRole('button', { name: 'Configure' })
  expect(screen.getByRole('button', { name: 'Clone' })).toBeVisible()
  await user.click(configure)
  release()
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByLabelText('fast_bars')).toHaveValue('7')
})

describe('settings', () => {
  test('[STRAT-13] [STRAT-23] a new strategy shows the settings of its type with their defaults, and sends them', async () => {
    const { user } = renderConsole('/trader/strategies')
    await user.click(await screen.findByRole('button', { name: 'Add New Strategy' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Strategy' }))
    await user.click(await dialog.findByText('Parameters (4, defaults filled in)'))
    expect(dialog.getByText('How fast. (1 to 1,000)')).toBeVisible()
    const offered = () => [...(dialog.getByLabelText<HTMLInputElement>('instrument').list?.options ?? [])]
    await waitFor(() =>
      expect(offered().map(({ value, label }) => [value, label])).toEqual([
        ['BTCUSDT-PERP', 'BINANCE perpetual'],
      ]),
    )
    expect(dialog.getByLabelText('fast_bars')).toHaveValue('20')
    await user.type(dialog.getByLabelText('Name'), 'Quick')
    await user.clear(dialog.getByLabelText('fast_bars'))
    await user.type(dialog.getByLabelText('fast_bars'), '5')
    await user.clear(dialog.getByLabelText('venues'))
    await user.type(dialog.getByLabelText('venues'), 'C, D')
    api.on(strategies.add, {})
    await user.click(dialog.getByRole('button', { name: 'Add Strategy' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(strategies.add).map(({ body }) => body)).toEqual([
      {
        name: 'Quick',
        type: 'momentum',
        description: '',
        config: { fast_bars: 5, instrument: 'BTCUSDT-PERP', venues: ['C', 'D'], own: {} },
      },
    ])
  })

  test('[STRAT-50] [STRAT-51] parameters are labelled in words, and instruments and intervals are lists', async () => {
    const parameters: StrategyType['parameters'] = [
      { name: 'entry_score', label: 'Entry z-score', kind: 'number', sentence: 'Enter.', default: 2 },
      {
        name: 'instrument',
        label: 'Instrument',
        kind: 'instrument',
        sentence: 'Traded.',
        default: 'BTCUSDT-PERP',
        allowed: ['BTCUSDT-PERP', 'ETHUSDT-PERP'],
      },
      { name: 'interval', kind: 'interval', sentence: 'Bars.', default: '1m', allowed: ['1s', '1m', '1h'] },
    ]
    api.on(strategyTypes.list, { strategy_types: [{ ...momentum, parameters }] })
    api.on(strategies.list, { strategies: [aStrategy({ config: { interval: '7m' } })] })
    const { user } = renderConsole('/trader/strategies')
    await user.click(await screen.findByRole('button', { name: 'Configure' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText('Entry z-score')).toHaveValue('2')
    expect(dialog.getByText('entry_score')).toBeVisible()
    expect(dialog.queryByText('instrument')).toBeNull()
    const optionsOf = (label: string) =>
      within(dialog.getByLabelText(label))
        .getAllByRole('option')
        .map((option) => option.textContent)
    await waitFor(() =>
      expect(optionsOf('Instrument')).toEqual(['BTCUSDT-PERP (BINANCE perpetual)', 'ETHUSDT-PERP']),
    )
    expect(optionsOf('interval')).toEqual(['7m', '1s', '1m', '1h'])
    await user.selectOptions(dialog.getByLabelText('Instrument'), 'ETHUSDT-PERP')
    await user.selectOptions(dialog.getByLabelText('interval'), '1h')
    api.on(strategies.update, aStrategy())
    await user.click(dialog.getByRole('button', { name: 'Save Settings' }))
    await waitFor(() => expect(api.calls(strategies.update)).toHaveLength(1))
    expect(api.calls(strategies.update)[0]?.body).toEqual({
      config: { entry_score: 2, instrument: 'ETHUSDT-PERP', interval: '1h' },
    })
  })

  test('[STRAT-13] [STRAT-22] [CLIENT-18] [SHELL-71] Configure shows what is set and saves it; a refusal is shown and leaves the dialog open', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user } = renderConsole('/trader/strategies')
    await user.click(await screen.findByRole('button', { name: 'Configure' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Configure Harbour momentum' }))
    expect(dialog.getByText('ID in logs: S-1')).toBeVisible()
    expect(dialog.getByText('Running. Changes apply from the next bar.')).toBeVisible()
    const fast = dialog.getByLabelText('fast_bars')
    expect(fast).toBeVisible()
    expect(fast).toHaveValue('7')
    await user.clear(fast)
    await user.type(fast, '1e400')
    const refusal = 'fast_bars must be a whole number from 1 to 1000'
    api.answer(strategies.update, () => fieldRefusal({ 'config.fast_bars': refusal }))
    await user.click(dialog.getByRole('button', { name: 'Save Settings' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal)
    expect(fast).toHaveAccessibleDescription(refusal)
    await user.clear(fast)
    await user.type(fast, '9')
    api.on(strategies.update, aStrategy())
    await user.click(dialog.getByRole('button', { name: 'Save Settings' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(strategies.update).map(({ body }) => body)).toMatchObject([
      { config: { fast_bars: '1e400' } },
      { config: { fast_bars: 9, instrument: 'BTCUSDT-PERP' } },
    ])
  })

  test('[CLIENT-18] refused parameters of a new strategy are unfolded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user } = renderConsole('/trader/strategies')
    await user.click(await screen.findByRole('button', { name: 'Add New Strategy' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Strategy' }))
    await user.type(dialog.getByLabelText('Name'), 'Quick')
    expect(dialog.getByLabelText('fast_bars')).not.toBeVisible()
    api.answer(strategies.add, () => fieldRefusal({ 'config.fast_bars': 'Too fast.', name: 'Taken.' }))
    await user.click(dialog.getByRole('button', { name: 'Add Strategy' }))
    expect(await dialog.findByText('Too fast.')).toBeVisible()
    expect(dialog.getByLabelText('fast_bars')).toHaveAccessibleDescription('Too fast.')
    expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Taken.')
  })

  test('[STRAT-21] [STRAT-30] a setting that was not typed into follows what is stored, one that was stays and says so', async () => {
    fakeRunningClock()
    const { user } = renderConsole('/trader/strategies')
    await user.click(await screen.findByRole('button', { name: 'Configure' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Configure Harbour momentum' }))
    await user.clear(dialog.getByLabelText('fast_bars'))
    await user.type(dialog.getByLabelText('fast_bars'), '9')
    expect(dialog.queryByText(/changed meanwhile/)).toBeNull()
    const config = { fast_bars: 12, instrument: 'ETHUSDT-PERP' }
    api.on(strategies.list, { strategies: [aStrategy({ config })] })
    await advanceTime(5100)
    expect(await dialog.findByText('Now 12, changed meanwhile. How fast. (1 to 1,000)')).toBeVisible()
    expect(dialog.getAllByText(/changed meanwhile/)).toHaveLength(1)
    expect(dialog.getByLabelText('fast_bars')).toHaveValue('9')
    expect(dialog.getByLabelText('instrument')).toHaveValue('ETHUSDT-PERP')
    api.on(strategies.update, aStrategy())
    await user.click(dialog.getByRole('button', { name: 'Save Settings' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(strategies.update).map(({ body }) => body)).toEqual([
      { config: { fast_bars: 9, instrument: 'ETHUSDT-PERP', venues: ['A', 'B'], own: {} } },
    ])
  })

  test('[CAP-8] without the capability there is nothing to configure', async () => {
    api.on(service.capabilities, { capabilities: [] })
    renderConsole('/trader/strategies')
    await screen.findByRole('region', { name: 'Harbour momentum' })
    expect(screen.queryByRole('button', { name: 'Configure' })).toBeNull()
    expect(api.calls(strategyTypes.list)).toEqual([])
  })
})

test('[STRAT-14] [STRAT-28] [STRAT-26] a card says why its strategy failed and what it still holds, or that it warms up', async () => {
  const failed = aStrategy({
    status: 'error',
    reason: 'there is no slot 4',
    note: 'It still holds a position.',
  })
  const warming = aStrategy({ id: 2, name: 'Young', note: 'Warming up: 3 of 60 bars' })
  api.on(strategies.list, { strategies: [failed, warming] })
  renderConsole('/trader/strategies')
  const card = within(await screen.findByRole('region', { name: 'Harbour momentum' }))
  expect(card.getByText('there is no slot 4')).toBeVisible()
  expect(card.getByText('It still holds a position.')).toBeVisible()
  expect(screen.getByText('Warming up: 3 of 60 bars')).toBeVisible()
})

test('[STRAT-42] deleted strategies are listed with their names and results', async () => {
  const performance = { total_pnl: -12.5, total_trades: 4, win_rate: 0.25, fills: 8 }
  const deleted_at = '2026-01-05T12:02:11.000Z'
  const gone = { id: 'S-7', name: 'Old trend', type: 'momentum', deleted_at, performance }
  api.on(strategies.deleted, { strategies: [gone] })
  renderConsole('/trader/strategies')
  const table = within(await screen.findByRole('table', { name: 'Deleted Strategies' }))
  const cells = table.getAllByRole('cell').map((cell) => cell.textContent)
  expect(cells).toEqual(['Old trend', 'momentum', '-$12.50', '4', '25.0%', '2026-01-05 12:02:11 UTC'])
})

test('[STRAT-37] the card of a running strategy says what denies its orders, how often, and when it tries again', async () => {
  const orders_denied = {
    count: 3,
    name: 'Max Position Size',
    sentence: 'Exposure would be 51,150.00; Max Position Size is 50,000.00.',
    next_try_at: '2026-01-05T12:02:11.000Z',
  }
  const waiting = aStrategy({ orders_denied })
  const due = aStrategy({ id: 2, name: 'Due', orders_denied: { ...orders_denied, next_try_at: null } })
  api.on(strategies.list, { strategies: [waiting, due] })
  renderConsole('/trader/strategies')
  const card = within(await screen.findByRole('region', { name: 'Harbour momentum' }))
  expect(card.getByText('orders denied: Max Position Size (3), next try at 12:02:11 UTC')).toBeVisible()
  expect(
    screen.getByText('orders denied: Max Position Size (3), next try with its next signal'),
  ).toBeVisible()
})

test.each([
  ['strategy-types', 2],
  ['problems', 1],
])(
  '[STRAT-14] [STRAT-24] with the capability %s the list is requested %i times in 5000 ms',
  async (capability, times) => {
    fakeRunningClock()
    api.on(service.capabilities, { capabilities: [capability] })
    renderConsole('/trader/strategies')
    await screen.findByRole('region', { name: 'Harbour momentum' })
    await advanceTime(5000)
    await waitFor(() => expect(api.calls(strategies.list)).toHaveLength(times))
  },
)
