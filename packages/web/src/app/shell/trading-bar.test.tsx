import { engine, risk, service, type TradingState, tradingState } from '@binnacle/contract'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DataProvider } from '#app/data-provider.tsx'
import { Providers } from '#app/providers.tsx'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts } from '#testkit/toasts.ts'
import { aComponent, riskMetrics } from '#testkit/trading.ts'
import { lazyPart } from '#ui/state/lazy-part.tsx'
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

afterEach(clearToasts)

const bar = () => screen.queryByRole('region', { name: 'Trading restricted' })

function reportStopped(name: string) {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state', 'components'] })
  api.on(engine.systemInfo, { components: [aComponent({ name, status: 'stopped' })] })
}

describe('the trading state', () => {
  test.each(['/trader/orders', '/admin/settings'])(
    '[RISK-20] is shown on %s while it is not ACTIVE',
    async (path) => {
      renderConsole(path)
      const region = await screen.findByRole('region', { name: 'Trading restricted' })
      expect(region).toHaveTextContent(
        "Reduce-only: orders that open or add are blocked. Today's loss of 2.41 reached the Max Daily Loss of 1.00. Since 2026-11-15 09:12:30 UTC.",
      )
    },
  )

  test('[RISK-20] [RISK-31] resumes after a confirmation', async () => {
    const { user } = renderConsole('/trader/orders')
    await user.click(await screen.findByRole('button', { name: 'Resume Trading' }))
    const dialog = await screen.findByRole('dialog', { name: 'Resume trading?' })
    expect(api.calls(tradingState.change)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Resume Trading' }))
    await waitFor(() => expect(bar()).not.toBeInTheDocument())
    expect(api.calls(tradingState.change)).toMatchObject([{ body: { state: 'ACTIVE' } }])
  })

  test('[RISK-20] [RISK-32] is shown with a link to Risk Management if the Resume button cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    let isServerUp = false
    const Unloadable = lazyPart(async () => {
      if (!isServerUp) throw new Error('the server is gone')
      return () => <button type="button">Resume Trading</button>
    })
    render(
      <Providers>
        <DataProvider>
          <MemoryRouter initialEntries={['/trader/orders']}>
            <TradingBar ResumeControl={Unloadable} />
          </MemoryRouter>
        </DataProvider>
      </Providers>,
    )
    const way = await screen.findByRole('link', { name: 'Go to Risk Management' })
    expect(way).toHaveAttribute('href', '/trader/risk')
    expect(bar()).toHaveTextContent(
      "Reduce-only: orders that open or add are blocked. Today's loss of 2.41 reached the Max Daily Loss of 1.00. Since 2026-11-15 09:12:30 UTC.",
    )
    isServerUp = true
    await userEvent.setup().click(way)
    expect(await screen.findByRole('button', { name: 'Resume Trading' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Go to Risk Management' })).toBeNull()
  })

  test('[RISK-20] appears when trading stops by itself', async () => {
    fakeRunningClock()
    current = ACTIVE
    renderConsole('/trader/orders')
    await waitFor(() => expect(api.calls(tradingState.get)).toHaveLength(1))
    expect(bar()).not.toBeInTheDocument()
    current = { state: 'HALTED', reason: 'The engine stopped itself: the disk is full.', since: null }
    await advanceTime(5000)
    expect(await screen.findByText('Trading is halted: all orders are blocked.')).toBeVisible()
  })

  test('[RISK-21] is changed on the risk screen after a confirmation', async () => {
    current = ACTIVE
    const { user } = renderConsole('/trader/risk')
    const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
    expect(panel.getByText('Active: orders are checked against the limits.')).toBeVisible()
    expect(panel.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Halt Trading',
      'Reduce Only',
    ])
    await user.click(panel.getByRole('button', { name: 'Halt Trading' }))
    const dialog = await screen.findByRole('dialog', { name: 'Halt trading?' })
    expect(api.calls(tradingState.change)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Halt Trading' }))
    expect(await panel.findByText('Halted: all orders are blocked.')).toBeVisible()
    expect(api.calls(tradingState.change)).toMatchObject([{ body: { state: 'HALTED' } }])
  })

  test.each([
    [
      'Halt Trading',
      'Halt trading?',
      'All orders are blocked until trading is resumed. Close is refused too; to close positions, choose Reduce Only instead. Cancels still work. Working orders that would open or add to a position are cancelled, and resuming does not restore them; orders that only reduce stay at their venue.',
    ],
    [
      'Reduce Only',
      'Switch to reduce-only?',
      'Only orders that reduce a position are accepted until trading is resumed. Working orders that would open or add to a position are cancelled, and resuming does not restore them.',
    ],
  ])(
    '[RISK-21] [RISK-33] %s says before it acts what happens to working orders',
    async (name, question, detail) => {
      current = ACTIVE
      const { user } = renderConsole('/trader/risk')
      await user.click(await screen.findByRole('button', { name }))
      const dialog = await screen.findByRole('dialog', { name: question })
      expect(within(dialog).getByText(detail)).toBeVisible()
    },
  )

  test('[RISK-44] the question of a halt says that Close is refused, and offers Reduce Only', async () => {
    current = ACTIVE
    const { user } = renderConsole('/trader/risk')
    await user.click(await screen.findByRole('button', { name: 'Halt Trading' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Halt trading?' }))
    expect(
      dialog.getByText(/Close is refused too; to close positions, choose Reduce Only instead/),
    ).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Reduce Only' }))
    await waitFor(() =>
      expect(api.calls(tradingState.change)).toMatchObject([{ body: { state: 'REDUCING' } }]),
    )
  })

  test.each(['REDUCING', 'HALTED'] as const)(
    '[RISK-26] while it is %s the risk screen does not show All Systems Normal',
    async (state) => {
      current = { ...REDUCING, state }
      renderConsole('/trader/risk')
      await screen.findByRole('region', { name: 'Trading State' })
      const alerts = within(screen.getByRole('region', { name: 'Risk Alerts' }))
      expect(alerts.getByText('Risk metrics are within acceptable ranges.')).toBeVisible()
      expect(alerts.queryByText('All Systems Normal')).toBeNull()
    },
  )

  test('[RISK-18] [RISK-26] while it is ACTIVE the risk screen shows All Systems Normal', async () => {
    current = ACTIVE
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Trading State' })
    expect(screen.getByText('All Systems Normal')).toBeVisible()
  })

  test.each(['RiskEngine', 'ExecutionEngine', 'Portfolio', 'DataEngine'])(
    '[RISK-26] [RISK-38] [RISK-37] [RISK-101] while %s does not run an active state promises nothing and not all systems are normal',
    async (name) => {
      current = ACTIVE
      reportStopped(name)
      renderConsole('/trader/risk')
      const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
      const text = `Active, but some orders are refused. Not running: ${name}.`
      expect(await panel.findByText(text)).toBeVisible()
      expect(panel.queryByText('Active: orders are checked against the limits.')).toBeNull()
      const alerts = within(screen.getByRole('region', { name: 'Risk Alerts' }))
      const isFrozen = name === 'Portfolio' || name === 'DataEngine'
      const said = isFrozen ? 'Risk figures are frozen' : 'Risk metrics are within acceptable ranges.'
      expect(alerts.getByText(said)).toBeVisible()
      expect(alerts.queryByText('All Systems Normal')).toBeNull()
    },
  )

  test.each(['Cache', 'MessageBus'])(
    '[RISK-26] a stopped %s refuses no order, so both messages show',
    async (name) => {
      current = ACTIVE
      reportStopped(name)
      renderConsole('/trader/risk')
      await screen.findByRole('region', { name: 'Stopped components' })
      expect(await screen.findByText('Active: orders are checked against the limits.')).toBeVisible()
      expect(await screen.findByText('All Systems Normal')).toBeVisible()
    },
  )

  test('[RISK-26] a halt is shown as a halt whichever component is stopped', async () => {
    current = { ...REDUCING, state: 'HALTED' }
    reportStopped('RiskEngine')
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Stopped components' })
    expect(await screen.findByText('Halted: all orders are blocked.')).toBeVisible()
  })

  test('[RISK-28] a saved limit that trips at once shows before the next poll', async () => {
    stopPolling()
    current = ACTIVE
    api.answer(risk.saveLimits, () => {
      current = REDUCING
      return new Response(null, { status: 204 })
    })
    const { user } = renderConsole('/trader/risk')
    const panel = within(await screen.findByRole('region', { name: 'Trading State' }))
    expect(panel.getByText('Active: orders are checked against the limits.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Edit Limits' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const text = 'Reduce-only: orders that open or add are blocked.'
    expect(await panel.findByText(text)).toBeVisible()
  })

  test('[RISK-20] [RISK-21] is not requested in the baseline', async () => {
    api.fail(service.capabilities, 404, 'Not Found')
    renderConsole('/trader/risk')
    await screen.findByRole('region', { name: 'Risk Limits' })
    expect(screen.queryByRole('region', { name: 'Trading State' })).not.toBeInTheDocument()
    expect(api.calls(tradingState.get)).toEqual([])
  })
})
