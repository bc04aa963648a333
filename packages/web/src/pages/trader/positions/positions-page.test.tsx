import { positions } from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { holdAnswer } from '#testkit/held-answer.ts'
import { gapsInHalfSeconds, makeTimeMovable, noteTimes, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { passTime } from '#testkit/time.ts'
import { forgetToasts } from '#testkit/toasts.ts'
import { aPosition } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
})

afterEach(forgetToasts)

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
  it('[POS-1] says that it is loading until the first answer', async () => {
    const release = holdAnswer(api, positions.list, { positions: [aPosition()] })
    renderConsole('/trader/positions')
    expect(await screen.findByText('Loading positions...')).toBeVisible()
    release()
    expect(await screen.findByRole('table', { name: 'Positions' })).toBeVisible()
    expect(screen.queryByText('Loading positions...')).toBeNull()
  })

  it('[POS-2] [POS-3] sums up in four cards', async () => {
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

  it('[POS-4] has the specified columns in their order', async () => {
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

  it('[POS-10] a backend that tells whose a position is has it listed, and told before it is closed', async () => {
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
    expect(question.getByText(/^Held by the strategy Desk arbitrage,/)).toBeVisible()
  })

  it('[POS-5] [FMT-4] a loss is red and signed, anything else green, zero included', async () => {
    await openPositions(aPosition({ unrealized_pnl: -0.01, realized_pnl: 0 }))
    expect(rowOf('P-1').getByText('-$0.01')).toHaveAttribute('data-tone', 'bad')
    expect(rowOf('P-1').getByText('$0.00')).toHaveAttribute('data-tone', 'good')
    expect(figure('Total P&L')).toHaveAttribute('data-tone', 'bad')
  })

  it('[POS-6] [CLIENT-13] a yes to Close this position? closes it and loads the list again', async () => {
    stopPolling()
    const { user } = await openPositions(aPosition({ id: 'P-1' }), aPosition({ id: 'P-2' }))
    const release = holdAnswer(api, positions.close, {})
    await user.click(rowOf('P-2').getByRole('button', { name: 'Close' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('Close this position?')).toBeVisible()
    expect(api.calls(positions.close)).toEqual([])
    await user.dblClick(within(question).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(rowOf('P-2').getByRole('button', { name: 'Close' })).toBeDisabled())
    expect(rowOf('P-1').getByRole('button', { name: 'Close' })).toBeEnabled()
    api.on(positions.list, { positions: [aPosition({ id: 'P-1' })] })
    release()
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'P-2' })).toBeNull())
    expect(api.calls(positions.close).map(({ path }) => path)).toEqual(['/api/positions/P-2/close'])
  })

  it('[POS-6] [SHELL-16] the second half of a double click on Close neither confirms nor dismisses', async () => {
    const { user } = await openPositions(aPosition())
    await user.click(rowOf('P-1').getByRole('button', { name: 'Close' }))
    const dialog = await screen.findByRole('dialog')
    const isUnderPointer = [
      within(dialog).getByRole('button', { name: 'Confirm' }),
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

  it('[POS-6] [SHELL-14] a no, or Esc, closes nothing', async () => {
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

  it('[POS-7] with no position it leads to /admin/orders, which is not a screen', async () => {
    api.on(positions.list, { positions: [] })
    const { user } = renderConsole('/trader/positions')
    const link = await screen.findByRole('link', { name: 'Go to Orders' })
    expect(link).toHaveAttribute('href', '/admin/orders')
    expect(screen.getByText('No Open Positions')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    await user.click(link)
    expect(await screen.findByText('Page Not Found')).toBeVisible()
  })

  it('[POS-8] asks again every 3000 ms', async () => {
    makeTimeMovable()
    const times = noteTimes(api, positions.list, { positions: [aPosition()] })
    renderConsole('/trader/positions')
    await screen.findByRole('table', { name: 'Positions' })
    for (let poll = 0; poll < 2; poll += 1) await passTime(3000)
    await waitFor(() => expect(times).toHaveLength(3))
    expect(gapsInHalfSeconds(times)).toEqual([6, 6])
  })

  it('[POS-9] Back goes to the admin panel', async () => {
    const { user } = await openPositions(aPosition())
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('whereabouts')).toHaveTextContent(/^\/admin$/))
  })
})
