import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { nearestPage } from './nearest-page.ts'

describe('not found', () => {
  it('[ROUTE-2] an unmatched path shows the not-found page', async () => {
    createFakeApi()
    renderConsole('/nowhere/at/all')
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    expect(screen.getByText('404')).toBeVisible()
  })

  it.each([
    ['/admin/positions', 'Positions'],
    ['/trader/backtest', 'Backtesting'],
    ['/admin/orders', 'Orders'],
    ['/trader/stratgies', 'Strategies'],
  ])('%s offers %s', (path, label) => {
    expect(nearestPage(path)?.label).toBe(label)
  })

  it('offers nothing for an address that resembles no screen', () => {
    expect(nearestPage('/xyzzy-plugh')).toBeUndefined()
  })
})
