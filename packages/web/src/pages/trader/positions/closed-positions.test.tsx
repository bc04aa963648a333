import { positions, service } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

test('[POS-24] Closed lists closed positions with P&L before and net of fees, page by page, also by address', async () => {
  const api = createFakeApi()
  api.on(positions.list, { positions: [] })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-history'] })
  api.on(positions.closed, {
    positions: [
      {
        id: 'P-3',
        instrument: 'BTCUSDT-PERP',
        side: 'SHORT',
        strategy: 'MANUAL',
        realized_pnl: 12.5,
        fees: 2.25,
        funding: -0.25,
        result: 10,
        opened_at: '2026-01-05T12:00:00.000Z',
        closed_at: '2026-01-05T13:00:00.000Z',
        journal_seq: 40,
      },
    ],
    next_cursor: 7,
  })
  const { user } = renderConsole('/trader/positions')
  await user.click(await screen.findByRole('tab', { name: 'Closed' }))
  const table = within(await screen.findByRole('table', { name: 'Closed positions' }))
  const [, row] = table.getAllByRole('row')
  const cells = within(row as HTMLElement).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'P-3',
    'BTCUSDT-PERP',
    'SHORT',
    '+$12.50',
    '$2.25',
    '-$0.25',
    '+$10.00',
    '2026-01-05 12:00:00',
    '2026-01-05 13:00:00',
    'Manual',
  ])
  expect(table.getByRole('columnheader', { name: 'P&L before fees' })).toBeVisible()
  expect(table.getByRole('columnheader', { name: 'P&L net of fees' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Show older' }))
  expect(api.calls(positions.closed).at(-1)?.query).toContain('cursor=7')
  // The filter finds what is shown.
  await user.type(await screen.findByPlaceholderText('Filter this page'), '+$12.50')
  expect(within(screen.getByRole('table', { name: 'Closed positions' })).getByText('P-3')).toBeVisible()
})
