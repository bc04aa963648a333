import { engine, risk, service, tradingState } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, gapsInHalfSeconds, recordCallTimes } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { anEngine, riskMetrics } from '#testkit/trading.ts'

const stored = {
  max_order_size: 12_500,
  max_position_size: 40_000,
  max_daily_loss: 4_200.5,
  max_positions: 8,
}

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(risk.metrics, riskMetrics())
  api.on(risk.limits, stored)
})

afterEach(clearToasts)

async function openRisk() {
  const view = renderConsole('/trader/risk')
  await screen.findByRole('region', { name: 'Risk Limits' })
  return view
}

function card(name: string) {
  return within(screen.getByRole('region', { name }))
}

describe('risk', () => {
  test('[RISK-1] says Loading risk data... until both have answered', async () => {
    const release = holdReply(api, risk.limits, stored)
    renderConsole('/trader/risk')
    expect(await screen.findByText('Loading risk data...')).toBeVisible()
    await waitFor(() => expect(api.calls(risk.metrics)).toHaveLength(1))
    expect(screen.queryByRole('region', { name: 'Total Exposure' })).toBeNull()
    release()
    expect(await screen.findByRole('region', { name: 'Total Exposure' })).toBeVisible()
    expect(screen.queryByText('Loading risk data...')).toBeNull()
  })

  test('[RISK-2] ← Back to Dashboard goes to the admin panel', async () => {
    const { user } = await openRisk()
    await user.click(screen.getByRole('button', { name: '← Back to Dashboard' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test('[RISK-3] metrics and limits are requested together every 5000 ms', async () => {
    fakeRunningClock()
    const requested = [
      recordCallTimes(api, risk.metrics, riskMetrics()),
      recordCallTimes(api, risk.limits, stored),
    ]
    await openRisk()
    for (let poll = 0; poll < 2; poll += 1) await advanceTime(5000)
    for (const times of requested) {
      await waitFor(() => expect(times).toHaveLength(3))
      expect(gapsInHalfSeconds(times)).toEqual([10, 10])
    }
  })

  test('[RISK-3] a slow half keeps the other waiting, so that both stay of one moment', async () => {
    fakeRunningClock()
    await openRisk()
    const release = holdReply(api, risk.metrics, riskMetrics())
    await advanceTime(12_000)
    expect([api.calls(risk.metrics).length, api.calls(risk.limits).length]).toEqual([2, 2])
    release()
    await advanceTime(5100)
    expect([api.calls(risk.metrics).length, api.calls(risk.limits).length]).toEqual([3, 3])
  })

  test('[RISK-4] Total Exposure shows dollars and the share of the maximum position size', async () => {
    await openRisk()
    expect(card('Total Exposure').getByText('$10,000.00')).toBeVisible()
    expect(card('Total Exposure').getByText('25.0% of maximum position size')).toBeVisible()
    expect(card('Total Exposure').getByRole('meter')).toHaveAttribute('aria-valuenow', '25')
  })

  test('[RISK-5] [RISK-7] Margin Usage shows dollars used and available and a coloured bar', async () => {
    api.on(risk.metrics, riskMetrics({ margin_used: 1_610, margin_available: 390 }))
    await openRisk()
    expect(card('Margin Usage').getByText('$1,610.00')).toBeVisible()
    expect(card('Margin Usage').getByText('$390.00 available')).toBeVisible()
    const bar = card('Margin Usage').getByRole('meter')
    expect(bar).toHaveAttribute('aria-valuenow', '80.5')
    expect(bar).toHaveAttribute('data-tone', 'bad')
  })

  test('[RISK-8] Max Drawdown shows a percentage and the VaR in dollars', async () => {
    await openRisk()
    expect(card('Max Drawdown').getByText('2.31%')).toBeVisible()
    expect(card('Max Drawdown').getByText('1-day VaR: $604.90')).toBeVisible()
  })

  test('[RISK-8] a VaR that is null reads —', async () => {
    api.on(risk.metrics, riskMetrics({ var_1d: null }))
    await openRisk()
    expect(card('Max Drawdown').getByText('1-day VaR: —')).toBeVisible()
  })

  test('[RISK-15] [RISK-16] [RISK-17] the panel shows each alert that applies', async () => {
    const metrics = { margin_used: 81, margin_available: 19, total_exposure: 36_001, position_count: 8 }
    api.on(risk.metrics, riskMetrics(metrics))
    await openRisk()
    const alerts = card('Risk Alerts')
    expect(alerts.getByText('High Margin Usage')).toBeVisible()
    expect(alerts.getByText('Margin usage is above 80%. Consider reducing exposure.')).toBeVisible()
    expect(alerts.getByText('Max Positions Reached')).toBeVisible()
    expect(alerts.getByText('Critical Exposure Level')).toBeVisible()
    expect(
      alerts.getByText('Total exposure is above 90% of maximum. Immediate action required.'),
    ).toBeVisible()
    expect(alerts.queryByText('All Systems Normal')).toBeNull()
  })

  test('[RISK-18] low margin and exposure show All Systems Normal', async () => {
    await openRisk()
    expect(card('Risk Alerts').getByText('All Systems Normal')).toBeVisible()
    expect(card('Risk Alerts').getByText('Risk metrics are within acceptable ranges.')).toBeVisible()
  })

  test('[RISK-100] with Risk Management off nothing says that orders are checked', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
    api.on(tradingState.get, { state: 'ACTIVE', reason: null, since: null })
    api.on(engine.info, anEngine({ features: { 'risk-management': false } }))
    await openRisk()
    expect(
      await screen.findByText(
        'Active, but orders are not checked against the limits: Risk Management is off.',
      ),
    ).toBeVisible()
    expect(screen.queryByText('Active: orders are checked against the limits.')).toBeNull()
    expect(screen.queryByText('All Systems Normal')).toBeNull()
  })

  test('[RISK-10] [CLIENT-10] limits that fail to load are the defaults, and metrics still show', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    api.fail(risk.limits, 503, 'Service Unavailable')
    api.on(risk.metrics, riskMetrics({ total_exposure: 10_000, position_count: 10 }))
    await openRisk()
    expect(await card('Total Exposure').findByText('20.0% of maximum position size')).toBeVisible()
    expect(card('Risk Alerts').getByText('Max Positions Reached')).toBeVisible()
    expect(card('Risk Limits').getByText('$10,000.00')).toHaveTextContent('default')
    expect(log).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'API Error: 503 Service Unavailable' }),
    )
  })

  test.each([
    ['a live backend', () => api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })],
    ['an unknown backend', () => api.drop(service.capabilities)],
  ])('[RISK-42] limits that %s did not send are dashes, and cannot be edited', async (_, serve) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    serve()
    api.drop(risk.limits)
    await openRisk()
    await waitFor(() => expect(card('Risk Limits').getAllByText('not loaded')).toHaveLength(4))
    expect(card('Risk Limits').queryByText('$10,000.00')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Edit Limits' })).toBeNull()
    expect(card('Total Exposure').getByText('— of maximum position size')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Risk Alerts' })).toBeNull()
  })

  test('[SHELL-7] when one half of a poll fails, its last figures stay and the other half is fresh', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    fakeRunningClock()
    await openRisk()
    api.drop(risk.limits)
    api.on(risk.metrics, riskMetrics({ total_exposure: 20_000 }))
    await advanceTime(5100)
    expect(await card('Total Exposure').findByText('$20,000.00')).toBeVisible()
    expect(card('Total Exposure').getByText('50.0% of maximum position size')).toBeVisible()
    expect(card('Risk Limits').getByText('$40,000.00')).toBeVisible()
  })
})
