import { instruments, service, strategies } from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply } from '#testkit/replies.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { aStrategy } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
})

afterEach(clearToasts)

async function openStrategies(...listed: ReturnType<typeof aStrategy>[]) {
  api.on(strategies.list, { strategies: listed })
  const view = renderConsole('/trader/strategies')
  await screen.findByRole('region', { name: listed[0]?.name ?? '' })
  return view
}

function card(name: string) {
  return within(screen.getByRole('region', { name }))
}

describe('strategies', () => {
  test('[STRAT-1] says that it is loading, then No Strategies Yet with an add button', async () => {
    const release = holdReply(api, strategies.list, { strategies: [] })
    const { user } = renderConsole('/trader/strategies')
    expect(await screen.findByText('Loading strategies...')).toBeVisible()
    expect(screen.queryByText('No Strategies Yet')).toBeNull()
    release()
    expect(await screen.findByText('No Strategies Yet')).toBeVisible()
    expect(screen.queryByText('Loading strategies...')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Add New Strategy' }))
    expect(await screen.findByRole('dialog', { name: 'Add New Strategy' })).toBeVisible()
  })

  test('[STRAT-31] with a live backend a strategy in error offers Start beside Stop and keeps its reason', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(strategies.start, {})
    const { user } = await openStrategies(aStrategy({ name: 'Failed', status: 'error', reason: 'It threw.' }))
    await user.click(await card('Failed').findByRole('button', { name: 'Start' }))
    await waitFor(() => expect(api.calls(strategies.start)).toHaveLength(1))
    expect(card('Failed').getByRole('button', { name: 'Stop' })).toBeVisible()
    expect(card('Failed').getByText('It threw.')).toBeVisible()
  })

  test('[STRAT-4] in the baseline a strategy in error offers Stop only', async () => {
    await openStrategies(aStrategy({ name: 'Failed', status: 'error' }))
    expect(card('Failed').getByRole('button', { name: 'Stop' })).toBeVisible()
    expect(card('Failed').queryByRole('button', { name: 'Start' })).toBeNull()
  })

  test('[STRAT-2] [FMT-2] [FMT-4] a card shows what the strategy is and how it does', async () => {
    await openStrategies(
      aStrategy({ performance: { total_pnl: -1310.25, total_trades: 48, win_rate: 0.625 } }),
      aStrategy({ id: 2, name: 'Tidal reversion', type: 'mean_reversion', description: null }),
    )
    const harbour = card('Harbour momentum')
    for (const text of ['momentum', 'running', 'Follows the trend of the last hour', '48', '62.5%']) {
      expect(harbour.getByText(text)).toBeVisible()
    }
    expect(harbour.getByText('-$1,310.25')).toHaveAttribute('data-tone', 'bad')
    expect(card('Tidal reversion').getByText('mean_reversion')).toBeVisible()
    expect(card('Tidal reversion').getByText('No description')).toBeVisible()
    expect(card('Tidal reversion').getByText('0.0%')).toBeVisible()
    expect(card('Tidal reversion').getByText('$0.00')).toHaveAttribute('data-tone', 'good')
  })

  test('[STRAT-2] figures that the backend does not send are dashes', async () => {
    api.answer(strategies.list, () =>
      Response.json({ strategies: [{ id: 1, name: 'Bare', type: 'custom', status: 'stopped' }] }),
    )
    renderConsole('/trader/strategies')
    await screen.findByRole('region', { name: 'Bare' })
    expect(card('Bare').getAllByText('—')).toHaveLength(3)
  })

  test('[STRAT-20] a live backend shows no win rate before the first trade, and 0.0% after a loss', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [] })
    await openStrategies(
      aStrategy({ name: 'Untried', performance: { total_pnl: 0, total_trades: 0, win_rate: 0 } }),
      aStrategy({ id: 2, name: 'Lost', performance: { total_pnl: -4, total_trades: 1, win_rate: 0 } }),
    )
    expect(await card('Untried').findByText('—')).toBeVisible()
    expect(card('Untried').queryByText('0.0%')).toBeNull()
    expect(card('Lost').getByText('0.0%')).toBeVisible()
  })

  test('[STRAT-3] [STRAT-4] running is green, and only a stopped strategy offers Start', async () => {
    const statuses = ['running', 'stopped', 'error']
    await openStrategies(...statuses.map((status) => aStrategy({ id: status, name: `Is ${status}`, status })))
    const tones = statuses.map((status) => card(`Is ${status}`).getByText(status).dataset.tone)
    expect(tones).toEqual(['good', 'calm', 'bad'])
    const offers = statuses.map((status) =>
      card(`Is ${status}`)
        .getAllByRole('button')
        .map((button) => button.textContent),
    )
    expect(offers).toEqual([
      ['Stop', 'Delete'],
      ['Start', 'Delete'],
      ['Stop', 'Delete'],
    ])
  })

  test.each([
    ['Start', 'stopped', 'running', 'Stop'],
    ['Stop', 'running', 'stopped', 'Start'],
  ])('[STRAT-5] [CLIENT-13] %s is sent once, and the list loads again', async (act, from, to, next) => {
    const { user } = await openStrategies(aStrategy({ id: 'a b', status: from }))
    const endpoint = act === 'Start' ? strategies.start : strategies.stop
    const release = holdReply(api, endpoint, {})
    await user.dblClick(card('Harbour momentum').getByRole('button', { name: act }))
    await waitFor(() => expect(card('Harbour momentum').getByRole('button', { name: act })).toBeDisabled())
    expect(card('Harbour momentum').getByText(from)).toBeVisible()
    api.on(strategies.list, { strategies: [aStrategy({ id: 'a b', status: to })] })
    release()
    expect(await card('Harbour momentum').findByRole('button', { name: next })).toBeEnabled()
    const calls = api.calls(endpoint).map(({ method, path }) => `${method} ${path}`)
    expect(calls).toEqual([`POST /api/strategies/a%20b/${act.toLowerCase()}`])
  })

  test('[STRAT-5] [SHELL-16] [SHELL-18] a double click on Start does not stop what it started', async () => {
    const { user } = await openStrategies(aStrategy({ status: 'stopped' }))
    api.on(strategies.start, {})
    api.on(strategies.stop, {})
    api.on(strategies.list, { strategies: [aStrategy({ status: 'running' })] })
    const press = (name: string, detail: number) => {
      const button = card('Harbour momentum').getByRole('button', { name })
      fireEvent.mouseDown(button, { detail })
      fireEvent.click(button, { detail })
    }
    press('Start', 1)
    expect(await card('Harbour momentum').findByRole('button', { name: 'Stop' })).toBeEnabled()
    press('Stop', 2)
    await user.click(card('Harbour momentum').getByRole('button', { name: 'Delete' }))
    await screen.findByRole('dialog')
    expect(api.calls(strategies.stop)).toEqual([])
  })

  test('[STRAT-6] a confirmation deletes the strategy and reloads the list', async () => {
    const { user } = await openStrategies(aStrategy({ id: 7 }))
    api.on(strategies.remove, {})
    await user.click(card('Harbour momentum').getByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('Are you sure you want to delete this strategy?')).toBeVisible()
    expect(api.calls(strategies.remove)).toEqual([])
    api.on(strategies.list, { strategies: [] })
    await user.dblClick(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('No Strategies Yet')).toBeVisible()
    const calls = api.calls(strategies.remove).map(({ method, path }) => `${method} ${path}`)
    expect(calls).toEqual(['DELETE /api/strategies/7'])
  })

  test('[STRAT-6] [SHELL-14] Cancel or Esc deletes nothing', async () => {
    const { user } = await openStrategies(aStrategy())
    const remove = card('Harbour momentum').getByRole('button', { name: 'Delete' })
    await user.click(remove)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(remove)
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(strategies.remove)).toEqual([])
  })

  test('[STRAT-12] Back goes to the admin panel', async () => {
    const { user } = await openStrategies(aStrategy())
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })
})
