import { service, tradingState } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

// A part of the site that the server no longer gives.
vi.mock('./resume-trading.tsx', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

it('[RISK-20] is told in full even when the server is gone before the rest of the bar was loaded', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
  const reason = 'The engine stopped itself: the disk is full.'
  api.on(tradingState.get, { state: 'HALTED', reason, since: null })
  renderConsole('/trader/orders')
  const bar = within(await screen.findByRole('region', { name: 'Trading is held back' }))
  expect(bar.getByText(reason)).toBeVisible()
  expect(await bar.findByRole('link', { name: 'Go to Risk Management' })).toHaveAttribute(
    'href',
    '/trader/risk',
  )
  expect(await screen.findByRole('heading', { name: 'Orders' })).toBeVisible()
  expect(logged).toHaveBeenCalled()
})
