import { instruments, positions, risk, service } from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, gapsInHalfSeconds, recordCallTimes, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { aPosition, riskMetrics } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
})

afterEach(clearToasts)

async function openPositions(...listed: ReturnType<typeof aPosition>[]) {
  api.on(positions.list, { positions: listed })
  const view = renderConsole('/trader/positions')
  await screen.findByRole('table', { name: 'Positions' })
  return view
}

function rowOf(id: string) {
  const row = screen.getByRole('cell', { name: id }).closest('tr')
  if (!row) throw new Error(`no row for ${id}`)
  return within(row)
}

function figure(label: string) {
  const frame = screen.getByText(label, { selector: 'dt' }).parentElement
  if (!frame) throw new Error(`no figure ${label}`)
  return within(frame).getByRole('definition')
}

describe('positions', () => {
  test('[POS-1] shows Loading until the first answer', async () => {
    const release = holdReply(api, positions.list, { positions: [aPosition()] })
    renderConsole('/trader/positions')
    expect(await screen.findByText('Loading positions...')).toBeVisible()
    release()
    expect(await screen.findByRole('table', { name: 'Positions' })).toBeVisible()
    expect(screen.queryByText('Loading positions...')).toBeNull()
  })

  test('[POS-2] [POS-3] sums up in four cards', async () => {
    await openPositions(
      aPosition({ id: 'P-1', unrealized_pnl: 1180.6, realized_pnl: 40.25 }),
      aPosition({ id: 'P-2', side: 'SHORT', unrealized_pnl: -65.1 }),
      aPosition({ id: 'P-3', unrealized_pnl: 0, realized_pnl: -12.5 }),
    )
    expect(figure('Open Positions')).toHaveTextContent(/^3$/)
    expect(figure('Total P&L')).toHaveTextContent(/^\+\$1,143\.25$/)
    expect(figure('Total P&L')).toHaveAttribute('data-tone', 'good')
    expect(figure('Long')).toHaveTextContent(/^2$/)
    expect(figure('Short')).toHaveTextContent(/^1$/)
  })

  test('[POS-4] has the specified columns in their order', async () => {
    await openPositions(aPosition())
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Position ID',
      'Instrument',
      'Side',
      'Quantity',
      'Entry Price',
      'Current Price',
      'Unrealized P&L',
      'Realized P&L',
      'Actions',
    ])
    const cells = rowOf('P-1')
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
    expect(cells).toEqual([
      'P-1',
      'BTCUSDT',
      'LONG',
      '0.15',
      '66,000.00',
      '67,000.00',
      '+$150.00',
      '$0.00',
      'Close',
    ])
  })

  test('[POS-20] with an account Total P&L is net of fees, beside equity, today’s P&L and fees', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [] })
    const account = {
      equity: 99_990.5,
      cash: 99_000,
      starting_capital: 100_000,
      day_pnl: -4.25,
      realized_pnl: 0,
      unrealized_pnl: 2,
      fees: 11.5,
      funding: 0,
    }
    api.on(risk.metrics, riskMetrics({ account }))
    await openPositions(aPosition({ unrealized_pnl: 2, realized_pnl: 0 }))
    await waitFor(() => expect(figure('Total P&L')).toHaveTextContent('-$9.50 net of fees'))
    expect(figure('Total P&L')).toHaveAttribute('data-tone', 'bad')
    expect(figure('P&L Today')).toHaveTextContent('-$4.25 net of fees')
    expect(figure('Equity')).toHaveTextContent('$99,990.50')
    expect(figure('Fees Paid')).toHaveTextContent('$11.50')
    expect(figure('Equity')).not.toHaveTextContent('without')
  })

  test('[SHELL-115] the figures of the account have their places before they are loaded', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [] })
    const release = holdReply(api, risk.metrics, riskMetrics({}))
    await openPositions(aPosition({ unrealized_pnl: 2, realized_pnl: 0 }))
    for (const name of ['Total P&L', 'P&L Today', 'Equity', 'Fees Paid'])
      await waitFor(() => expect(figure(name)).toHaveTextContent('—'))
    release()
    await waitFor(() => expect(figure('Total P&L')).toHaveTextContent('+$2.00'))
    expect(screen.queryByText('Equity')).toBeNull()
  })

  test('[NAUT-202] balances without a rate are named beside the equity that they are not in', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [] })
    const money = { cash: 1, starting_capital: 1, day_pnl: 0, realized_pnl: 0, unrealized_pnl: 0 }
    const account = { equity: 1, ...money, fees: 0, funding: 0, left_out: ['1.5 BTC', '200 EUR'] }
    api.on(risk.metrics, riskMetrics({ account }))
    await openPositions(aPosition({}))
    await waitFor(() => expect(figure('Equity')).toHaveTextContent('$1.00 without 1.5 BTC, 200 EUR: no rate'))
  })

  test('[POS-10] [POS-11] the owner of a position is listed and named before it is closed', async () => {
    const { user } = await openPositions(
      aPosition({ id: 'P-1', strategy: 'S-4', strategy_name: 'Desk arbitrage' }),
      aPosition({ id: 'P-2', strategy: 'MANUAL' }),
    )
    expect(screen.getByRole('columnheader', { name: 'Strategy' })).toBeVisible()
    expect(rowOf('P-1').getByRole('cell', { name: 'Desk arbitrage' })).toBeVisible()
    expect(rowOf('P-2').getByRole('cell', { name: 'Manual' })).toBeVisible()
    await user.click(rowOf('P-1').getByRole('button', { name: 'Close' }))
    const question = within(await screen.findByRole('dialog'))
    expect(question.getByText('P-1 · LONG 0.15 BTCUSDT')).toBeVisible()
    expect(question.getByText(/^Held by strategy Desk arbitrage,/)).toBeVisible()
  })

  test('[POS-5] [FMT-4] a loss is red and signed, anything else green, zero included', async () => {
    await openPositions(aPosition({ unrealized_pnl: -0.01, realized_pnl: 0 }))
    expect(rowOf('P-1').getByText('-$0.01')).toHaveAttribute('data-tone', 'bad')
    expect(rowOf('P-1').getByText('$0.00')).toHaveAttribute('data-tone', 'good')
    expect(figure('Total P&L')).toHaveAttribute('data-tone', 'bad')
  })

  test('[POS-6] [CLIENT-13] confirming Close this position? closes it and reloads the list', async () => {
    stopPolling()
    const { user } = await openPositions(aPosition({ id: 'P-1' }), aPosition({ id: 'P-2' }))
    const release = holdReply(api, positions.close, {})
    await user.click(rowOf('P-2').getByRole('button', { name: 'Close' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('Close this position?')).toBeVisible()
    expect(api.calls(positions.close)).toEqual([])
    await user.dblClick(within(question).getByRole('button', { name: 'Close Position' }))
    await waitFor(() => expect(rowOf('P-2').getByRole('button', { name: 'Close' })).toBeDisabled())
    expect(rowOf('P-1').getByRole('button', { name: 'Close' })).toBeEnabled()
    api.on(positions.list, { positions: [aPosition({ id: 'P-1' })] })
    release()
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'P-2' })).toBeNull())
    expect(api.calls(positions.close).map(({ path }) => path)).toEqual(['/api/positions/P-2/close'])
  })

  test('[POS-6] [SHELL-16] the second half of a double click on Close neither confirms nor dismisses', async () => {
    const { user } = await openPositions(aPosition())
    await user.click(rowOf('P-1').getByRole('button', { name: 'Close' }))
    const dialog = await screen.findByRole('dialog')
    const isUnderPointer = [
      within(dialog).getByRole('button', { name: 'Close Position' }),
      within(dialog).getByRole('button', { name: 'Cancel' }),
      document.querySelector('.mantine-Modal-overlay'),
    ]
    for (const hit of isUnderPointer) {
      if (hit === null) throw new Error('the dialog has no backdrop')
      fireEvent.mouseDown(hit, { detail: 2 })
      fireEvent.click(hit, { detail: 2 })
    }
    expect(screen.getByRole('dialog')).toBeVisible()
    expect(api.calls(positions.close)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('[POS-6] [SHELL-14] Cancel or Esc closes nothing', async () => {
    const { user } = await openPositions(aPosition())
    const close = rowOf('P-1').getByRole('button', { name: 'Close' })
    await user.click(close)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(close)
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(positions.close)).toEqual([])
  })

  test('[POS-7] with no position it leads to /admin/orders, which is not a screen', async () => {
    api.on(positions.list, { positions: [] })
    const { user } = renderConsole('/trader/positions')
    const link = await screen.findByRole('link', { name: 'Go to Orders' })
    expect(link).toHaveAttribute('href', '/admin/orders')
    expect(screen.getByText('No Open Positions')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    await user.click(link)
    expect(await screen.findByText('Page Not Found')).toBeVisible()
  })

  test('[POS-8] polls every 3000 ms', async () => {
    fakeRunningClock()
    const times = recordCallTimes(api, positions.list, { positions: [aPosition()] })
    renderConsole('/trader/positions')
    await screen.findByRole('table', { name: 'Positions' })
    for (let poll = 0; poll < 2; poll += 1) await advanceTime(3000)
    await waitFor(() => expect(times).toHaveLength(3))
    expect(gapsInHalfSeconds(times)).toEqual([6, 6])
  })

  test('[POS-9] Back goes to the admin panel', async () => {
    const { user } = await openPositions(aPosition())
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test('[POS-12] [POS-13] with a live backend zero is neutral and prices have the decimals of their tick', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [{ id: 'XRPUSDT', tick_size: 0.0001 }] })
    const position = aPosition({
      instrument: 'XRPUSDT',
      entry_price: 2.5,
      current_price: 2.50004,
      unrealized_pnl: -0.001,
      realized_pnl: 0,
    })
    api.on(positions.list, { positions: [position] })
    renderConsole('/trader/positions')
    expect(await screen.findAllByRole('cell', { name: '2.5000' })).toHaveLength(2)
    const zeros = screen.getAllByRole('cell', { name: '$0.00' })
    expect(zeros).toHaveLength(2)
    for (const zero of zeros) expect(zero.firstElementChild).toHaveAttribute('data-tone', 'calm')
  })
})
