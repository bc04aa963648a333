import { engine, risk, service, type TradingState, tradingState } from '@binnacle/contract'
import { render, screen, waitFor, within } from '@testing-library/react'
import { lazy } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { createQueryClient } from '#data/query-client.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { makeTimeMovable, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { passTime } from '#testkit/time.ts'
import { forgetToasts } from '#testkit/toasts.ts'
import { aComponent, riskMetrics } from '#testkit/trading.ts'
import { TradingBar } from './trading-bar.tsx'

const ACTIVE: TradingState = { state: 'ACTIVE', reason: null, since: '2026-11-15T08:00:00Z' }
const REDUCING: TradingState = {
  state: 'REDUCING',
  reason: "Today's loss of 2.41 reached the Max Daily Loss of 1.00.",
  since: '2026-11-15T09:12:30Z',
}

let api: FakeApi
let current: TradingState

beforeEach(() => {
  api = createFakeApi()
  current = REDUCING
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
  api.on(tradingState.get, () => current)
  api.on(tradingState.change, ({ body }) => {
    current = { ...ACTIVE, state: Object(body).state }
    return current
  })
  api.on(risk.metrics, riskMetrics())
  api.on(risk.limits, {})
})

afterEach(forgetToasts)

const bar = () => screen.queryByRole('region', { name: 'Trading is held back' })

function tellAtRest(name: string) {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state', 'components'] })
  api.on(engine.systemInfo, { components: [aComponent({ name, status: 'stopped' })] })
}

describe('the trading state', () => {
  it.each(['/trader/orders', '/admin/settings'])(
    '[RISK-20] is told on %s while it is not active',
    async (path) => {
      renderConsole(path)
      const told = await screen.findByRole('region', { name: 'Trading is held back' })
      expect(told).toHaveTextContent(
        "Trading is reduced: only orders that reduce a position are let through. Today's loss of 2.41 reached the Max Daily Loss of 1.00. Since 2026-11-15 09:12:30 UTC.",
      )
    },
  )

  it('[RISK-20] resumes after a yes', async () => {
    const { user } = renderConsole('/trader/orders')
    await user.click(await screen.findByRole('button', { name: 'Resume Trading' }))
    const dialog = await screen.findByRole('dialog', { name: 'Please confirm' })
    expect(api.calls(tradingState.change)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(bar()).not.toBeInTheDocument())
    expect(api.calls(tradingState.change)).toMatchObject([{ body: { state: 'ACTIVE' } }])
  })

  it('[RISK-20] is told whole, and leads to Risk Management, when the way out cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const Unloadable = lazy(() => Promise.reject(new Error('the server is gone')))
    render(
      <Providers queryClient={createQueryClient()}>
        <MemoryRouter initialEntries={['/trader/orders']}>
          <TradingBar WayOut={Unloadable} />
        </MemoryRouter>
      </Providers>,
    )
    const way = await screen.findByRole('link', { name: 'Go to Risk Management' })
    expect(way).toHaveAttribute('href', '/trader/risk')
    expect(bar()).toHaveTextContent(
      "Trading is reduced: only orders that reduce a position are let through. Today's loss of 2.41 reached the Max Daily Loss of 1.00. Since 2026-11-15 09:12:30 UTC.",
    )
  })

  it('[RISK-20] appears when trading stops by itself', async () => {
    makeTimeMovable()
    current = ACTIVE
    renderConsole('/trader/orders')
    await waitFor(() => expect(api.calls(tradingState.get)).toHaveLength(1))
    expect(bar()).not.toBeInTheDocument()
    current = { state: 'HALTED', reason: 'The engine stopped itself: the disk is full.', since: null }
    await passTime(5000)
    expect(await screen.findByText('Trading is halted: no order is let through.')).toBeVisible()
  })

  it('[RISK-21] is changed on the risk screen, after a yes', async () => {
    current = ACTIVE
    const { user } = renderConsole('/trader/risk')
    const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
    expect(panel.getByText('Active: orders within the limits are let through.')).toBeVisible()
    expect(panel.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Halt Trading',
      'Reduce Only',
    ])
    await user.click(panel.getByRole('button', { name: 'Halt Trading' }))
    const dialog = await screen.findByRole('dialog', { name: 'Please confirm' })
    expect(api.calls(tradingState.change)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Confirm' }))
    expect(await panel.findByText('Halted: no order is let through.')).toBeVisible()
    expect(api.calls(tradingState.change)).toMatchObject([{ body: { state: 'HALTED' } }])
  })

  it.each([
    [
      'Halt Trading',
      'Halt trading? No order is let through, not even one that closes a position, until somebody resumes. Cancels always pass. Working orders that would open or add to a position are cancelled, and resuming does not bring them back; those that only reduce stay at their venue.',
    ],
    [
      'Reduce Only',
      'Let only orders through that reduce a position, until somebody resumes? Working orders that would open or add to a position are cancelled, and resuming does not bring them back.',
    ],
  ])('[RISK-21] %s says before the yes what becomes of working orders', async (name, question) => {
    current = ACTIVE
    const { user } = renderConsole('/trader/risk')
    await user.click(await screen.findByRole('button', { name }))
    const dialog = await screen.findByRole('dialog', { name: 'Please confirm' })
    expect(within(dialog).getByText(question)).toBeVisible()
  })

  it.each(['REDUCING', 'HALTED'] as const)(
    '[RISK-26] while it is %s the risk screen speaks of its metrics and does not call all systems normal',
    async (state) => {
      current = { ...REDUCING, state }
      renderConsole('/trader/risk')
      await screen.findByRole('region', { name: 'Trading State' })
      const alerts = within(screen.getByRole('region', { name: 'Risk Alerts' }))
      expect(alerts.getByText('Risk metrics are within acceptable ranges.')).toBeVisible()
      expect(alerts.queryByText('All Systems Normal')).toBeNull()
    },
  )

  it('[RISK-18] [RISK-26] while it is ACTIVE the risk screen calls all systems normal', async () => {
    current = ACTIVE
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Trading State' })
    expect(screen.getByText('All Systems Normal')).toBeVisible()
  })

  it.each(['RiskEngine', 'ExecutionEngine', 'Portfolio', 'DataEngine'])(
    '[RISK-26] while %s does not run an active state promises nothing and not all systems are normal',
    async (name) => {
      current = ACTIVE
      tellAtRest(name)
      renderConsole('/trader/risk')
      const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
      const text = `Active, but not every order within the limits is let through. Not running: ${name}.`
      expect(await panel.findByText(text)).toBeVisible()
      expect(panel.queryByText('Active: orders within the limits are let through.')).toBeNull()
      const alerts = within(screen.getByRole('region', { name: 'Risk Alerts' }))
      expect(alerts.getByText('Risk metrics are within acceptable ranges.')).toBeVisible()
      expect(alerts.queryByText('All Systems Normal')).toBeNull()
    },
  )

  it.each(['Cache', 'MessageBus'])(
    '[RISK-26] %s at rest refuses no order, so that both are said',
    async (name) => {
      current = ACTIVE
      tellAtRest(name)
      renderConsole('/trader/risk')
      await screen.findByRole('region', { name: 'Components at rest' })
      expect(await screen.findByText('Active: orders within the limits are let through.')).toBeVisible()
      expect(await screen.findByText('All Systems Normal')).toBeVisible()
    },
  )

  it('[RISK-26] a halt is told as a halt whatever does not run', async () => {
    current = { ...REDUCING, state: 'HALTED' }
    tellAtRest('RiskEngine')
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Components at rest' })
    expect(await screen.findByText('Halted: no order is let through.')).toBeVisible()
  })

  it('[RISK-28] saved limits that trip at once are told with the save, before the next poll', async () => {
    stopPolling()
    current = ACTIVE
    api.answer(risk.saveLimits, () => {
      current = REDUCING
      return new Response(null, { status: 204 })
    })
    const { user } = renderConsole('/trader/risk')
    const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
    expect(panel.getByText('Active: orders within the limits are let through.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Edit Limits' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const text = 'Reducing: only orders that reduce a position are let through.'
    expect(await panel.findByText(text)).toBeVisible()
  })

  it('[RISK-20] [RISK-21] is not asked for in the baseline', async () => {
    api.fail(service.capabilities, 404, 'Not Found')
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Risk Limits' })
    expect(screen.queryByRole('region', { name: 'Trading State' })).not.toBeInTheDocument()
    expect(api.calls(tradingState.get)).toEqual([])
  })
})
