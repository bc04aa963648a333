import { service } from '@binnacle/contract'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { nearestPage } from './nearest-page.ts'

describe('not found', () => {
  test('[ROUTE-2] an unmatched path shows the not-found page', async () => {
    createFakeApi()
    renderConsole('/nowhere/at/all')
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    expect(screen.getByText('404')).toBeVisible()
  })

  test.each([
    ['/admin/positions', 'Positions'],
    ['/trader/backtest', 'Backtesting'],
    ['/admin/orders', 'Orders'],
    ['/trader/stratgies', 'Strategies'],
  ])('%s offers %s', (path, label) => {
    expect(nearestPage(path)?.label).toBe(label)
  })

  const links = [
    ['/admin/positions', 'Positions'],
    ['/admin/orders', 'Orders'],
    ['/trader/backtest', 'Backtesting'],
  ] as const

  test.each(links)('[ROUTE-7] with a live backend %s opens %s', async (path, title) => {
    createFakeApi().on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    renderConsole(path)
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
  })

  test.each(links)('[ROUTE-3] in the baseline %s is not found', async (path) => {
    createFakeApi()
    renderConsole(path)
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  })

  test('[ROUTE-3] while the capabilities are unknown it is not found', async () => {
    createFakeApi().fail(service.capabilities, 503)
    renderConsole('/admin/orders')
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  })

  test('offers nothing for an address that resembles no screen', () => {
    expect(nearestPage('/xyzzy-plugh')).toBeUndefined()
  })
})
