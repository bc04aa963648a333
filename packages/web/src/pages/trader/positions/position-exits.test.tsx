import { positions, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { aPosition } from '#testkit/trading.ts'

let api: FakeApi

const HELD = aPosition({ id: 'P-1', quantity: 0.5, entry_price: 66_000, stop_loss: 65_000 })

beforeEach(() => {
  api = createFakeApi()
  api.on(positions.list, { positions: [HELD] })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'position-exits'] })
})

afterEach(clearToasts)

const openExits = async (user: ReturnType<typeof renderConsole>['user']) => {
  await user.click(
    await screen.findByRole('button', { name: 'Stop-loss and take-profit of P-1: 65,000.00 / —' }),
  )
  return within(await screen.findByRole('dialog', { name: 'Stop-Loss and Take-Profit' }))
}

test('[POS-27] the dialog says the P&L at a price and sends only what was changed', async () => {
  const { user } = renderConsole('/trader/positions')
  api.on(positions.changeExits, { message: 'Position P-1: take-profit at 68000' })
  const dialog = await openExits(user)
  expect(dialog.getByLabelText('Stop-loss')).toHaveValue(65_000)
  expect(dialog.getByText('-$500.00 before fees')).toBeVisible()
  await user.type(dialog.getByLabelText('Take-profit'), '68000')
  expect(dialog.getByText('+$1,000.00 before fees')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save Exits' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['Position P-1: take-profit at 68000']))
  expect(api.calls(positions.changeExits)).toMatchObject([
    { path: '/api/positions/P-1/exits', body: { take_profit: 68_000 } },
  ])
})

test('[POS-27] an emptied field removes the price', async () => {
  const { user } = renderConsole('/trader/positions')
  api.on(positions.changeExits, { message: 'Position P-1 has no stop-loss and no take-profit' })
  const dialog = await openExits(user)
  await user.clear(dialog.getByLabelText('Stop-loss'))
  expect(dialog.getByText('was 65,000.00')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save Exits' }))
  await waitFor(() => expect(api.calls(positions.changeExits)).toMatchObject([{ body: { stop_loss: null } }]))
})

test('[POS-27] a refused price is shown at its field', async () => {
  const { user } = renderConsole('/trader/positions')
  api.answer(positions.changeExits, () => fieldRefusal({ stop_loss: 'Stop-loss: must be below the market.' }))
  const dialog = await openExits(user)
  await user.clear(dialog.getByLabelText('Stop-loss'))
  await user.type(dialog.getByLabelText('Stop-loss'), '70000')
  await user.click(dialog.getByRole('button', { name: 'Save Exits' }))
  expect(await dialog.findByText('Stop-loss: must be below the market.')).toBeVisible()
})

test('[POS-550] prices that are not above 0 have their errors at once, no estimate, and are not sent', async () => {
  const { user } = renderConsole('/trader/positions')
  const dialog = await openExits(user)
  await user.clear(dialog.getByLabelText('Stop-loss'))
  await user.type(dialog.getByLabelText('Stop-loss'), '0')
  await user.type(dialog.getByLabelText('Take-profit'), '-1')
  expect(dialog.getAllByText('Enter a price above 0, or leave it empty.')).toHaveLength(2)
  expect(dialog.queryByText(/before fees/)).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Save Exits' }))
  expect(api.calls(positions.changeExits)).toEqual([])
})

test('[POS-29] a position that waits at its exit price says why', async () => {
  api.on(positions.list, {
    positions: [aPosition({ id: 'P-1', stop_loss: 65_000, exit_obstacle: 'Trading is halted.' })],
  })
  renderConsole('/trader/positions')
  expect(await screen.findByText('Reached, waiting: Trading is halted.')).toBeVisible()
})

test('[POS-27] without the capability the table has no such column', async () => {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems'] })
  renderConsole('/trader/positions')
  await screen.findByRole('button', { name: 'Close' })
  expect(screen.queryByRole('columnheader', { name: 'Stop-Loss / Take-Profit' })).toBeNull()
})

test('[ORD-103] the dialog follows the price', async () => {
  const { user } = renderConsole('/trader/positions')
  const dialog = await openExits(user)
  api.on(positions.list, { positions: [{ ...HELD, current_price: 66_123.5 }] })
  expect(await dialog.findByText(/now 66,123\.50/)).toBeVisible()
})

test('[ORD-104] on a phone the button names the exit prices, and the P&L has its name', async () => {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(matchMedia(query), { matches: query === '(max-width: 760px)' }),
  )
  renderConsole('/trader/positions')
  const button = await screen.findByRole('button', { name: /^Stop-loss and take-profit of P-1/ })
  expect(button).toHaveTextContent('Stop-loss 65,000.00 · take-profit —')
  expect(screen.getByText(/^unrealized/)).toBeVisible()
})
