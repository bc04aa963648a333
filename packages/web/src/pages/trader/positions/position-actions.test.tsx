import { positions, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { aPosition } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(positions.list, { positions: [aPosition({ id: 'P-1', quantity: 0.5 })] })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-control'] })
})

afterEach(clearToasts)

test('[POS-23] Close Part sends the chosen quantity with a key', async () => {
  const { user } = renderConsole('/trader/positions')
  api.on(positions.close, { message: '0.125 of position P-1 closed' })
  await user.click(await screen.findByRole('button', { name: 'Close Part' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Close Part of a Position' }))
  expect(dialog.getByLabelText('Quantity')).toHaveValue(0.25)
  await user.click(dialog.getByRole('button', { name: '25 %' }))
  await user.click(dialog.getByRole('button', { name: 'Close Part' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['0.125 of position P-1 closed']))
  const [sent] = api.calls(positions.close)
  expect(sent).toMatchObject({ path: '/api/positions/P-1/close', body: { quantity: 0.125 } })
  expect(sent?.headers['idempotency-key']).toBeDefined()
})

test('[POS-23] Close All asks with the number of positions and shows what was not closed', async () => {
  const { user } = renderConsole('/trader/positions')
  api.on(positions.closeAll, {
    message: '0 of 1 position closed. 1 not closed.',
    rows: [{ id: 'P-1', instrument: 'BTCUSDT', outcome: 'refused', message: 'Trading is halted.' }],
  })
  await user.click(await screen.findByRole('button', { name: 'Close All' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Close all positions?' }))
  expect(dialog.getByText(/^1 position is closed at the market price/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Close Positions' }))
  await waitFor(() => expect(toastsOfType('warning')[0]).toContain('Trading is halted.'))
})
