import { type Emergency, emergency, service, type TradingState, tradingState } from '@binnacle/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { HOLD_MS } from '#ui/control/hold-button.tsx'

let api: FakeApi
let current: TradingState
let closing: Emergency

const NOTHING_LEFT = { orders_left: 0, positions_left: 0 }

const NOTHING_CLOSED: Emergency = {
  is_active: false,
  started_at: null,
  ended_at: null,
  outcome: null,
  resumed_at: null,
  venues: [
    {
      venue: 'BINANCE',
      orders: 3,
      positions: 1,
      exposure: 1000,
      orders_at_start: 0,
      positions_at_start: 0,
      ...NOTHING_LEFT,
    },
    {
      venue: 'BYBIT',
      orders: 0,
      positions: 1,
      exposure: 500.5,
      orders_at_start: 0,
      positions_at_start: 0,
      ...NOTHING_LEFT,
    },
  ],
  open: [
    { id: 'P-1', instrument: 'BTCUSDT-PERP', strategy: 'MANUAL', quantity: 0.1, obstacle: null },
    { id: 'P-2', instrument: 'BTCUSDT-PERP.BYBIT', strategy: 'S-1', quantity: -2, obstacle: null },
  ],
}

const ONE_LEFT: Emergency = {
  ...NOTHING_CLOSED,
  is_active: true,
  started_at: '2026-11-16T03:00:00Z',
  venues: [
    {
      venue: 'BINANCE',
      orders: 0,
      positions: 0,
      exposure: 0,
      orders_at_start: 3,
      positions_at_start: 1,
      ...NOTHING_LEFT,
    },
    {
      venue: 'BYBIT',
      orders: 0,
      positions: 1,
      exposure: 500.5,
      orders_at_start: 0,
      positions_at_start: 1,
      orders_left: 0,
      positions_left: 1,
    },
  ],
  open: [
    {
      id: 'P-2',
      instrument: 'BTCUSDT-PERP.BYBIT',
      strategy: 'S-1',
      quantity: -2,
      obstacle: 'BYBIT is not connected.',
    },
  ],
}

beforeEach(() => {
  api = createFakeApi()
  current = { state: 'ACTIVE', reason: null, since: null }
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state', 'emergency'] })
  closing = NOTHING_CLOSED
  api.answer(emergency.get, () => Response.json(closing))
  api.answer(tradingState.get, () => Response.json(current))
  api.answer(tradingState.change, ({ body }) => {
    current = { state: (body as TradingState).state, reason: 'Set manually.', since: '2026-11-16T03:00:00Z' }
    return Response.json(current)
  })
  fakeRunningClock()
})

afterEach(clearToasts)

async function openEmergency() {
  const view = renderConsole('/docs')
  await view.user.click(await screen.findByRole('button', { name: 'Emergency' }))
  return { ...view, drawer: within(await screen.findByRole('complementary', { name: 'Emergency control' })) }
}

/** The clock also runs by itself, so that a busy machine must not make a hold of it. */
const SHORT_HOLD_MS = 200

/** Of the report's poll while nothing is being closed. */
const POLL_MS = 5000

const NOW_OPEN = {
  venue: 'BINANCE',
  orders: 1,
  positions: 0,
  exposure: 0,
  orders_at_start: 0,
  positions_at_start: 0,
  ...NOTHING_LEFT,
}

function rowsOf(table: HTMLElement) {
  return within(table)
    .getAllByRole('row')
    .map(({ textContent }) => textContent)
}

const sent = () => api.calls(tradingState.change).map(({ body }) => body)

describe('the emergency control', () => {
  test('[SHELL-37] halts after its button was held, and says so', async () => {
    const { drawer } = await openEmergency()
    const button = drawer.getByRole('button', { name: 'Hold 1.5 s to halt' })
    fireEvent.pointerDown(button, { button: 0 })
    await advanceTime(SHORT_HOLD_MS)
    expect(button).toHaveTextContent(/^Keep holding, [01]\.\d s left$/)
    expect(sent()).toEqual([])
    await advanceTime(HOLD_MS)
    await waitFor(() => expect(sent()).toEqual([{ state: 'HALTED' }]))
    expect(
      await drawer.findByText(/Set manually\. Since 2026-11-16 03:00:00 UTC\. It never resumes/),
    ).toBeVisible()
    expect(drawer.queryByRole('button', { name: /to halt/ })).not.toBeInTheDocument()
  })

  test.each(['pointerUp', 'pointerLeave', 'pointerCancel', 'blur'] as const)(
    '[SHELL-37] does nothing when %s comes early',
    async (event) => {
      const { drawer } = await openEmergency()
      const button = drawer.getByRole('button', { name: 'Hold 1.5 s to halt' })
      fireEvent.pointerDown(button, { button: 0 })
      await advanceTime(SHORT_HOLD_MS)
      act(() => void fireEvent[event](button))
      await advanceTime(HOLD_MS)
      expect(button).toHaveTextContent('Hold 1.5 s to halt')
      expect(sent()).toEqual([])
    },
  )

  test('[SHELL-37] halts when Enter is held, and not when it is pressed', async () => {
    const { drawer } = await openEmergency()
    const button = drawer.getByRole('button', { name: 'Hold 1.5 s to halt' })
    fireEvent.keyDown(button, { key: 'Enter' })
    fireEvent.keyUp(button, { key: 'Enter' })
    await advanceTime(HOLD_MS)
    expect(sent()).toEqual([])
    fireEvent.keyDown(button, { key: 'Enter' })
    fireEvent.keyDown(button, { key: 'Enter', repeat: true })
    await advanceTime(HOLD_MS)
    await waitFor(() => expect(sent()).toEqual([{ state: 'HALTED' }]))
  })

  test('[SHELL-37] halts when the word is typed', async () => {
    const { user, drawer } = await openEmergency()
    const field = drawer.getByRole('textbox', { name: 'Or type HALT or CLOSE ALL and press Enter' })
    await user.type(field, 'HAL{Enter}')
    expect(sent()).toEqual([])
    await user.type(field, 'T{Enter}')
    await waitFor(() => expect(sent()).toEqual([{ state: 'HALTED' }]))
  })

  test('[SHELL-100] a word that does nothing is answered', async () => {
    const { user, drawer } = await openEmergency()
    await drawer.findByRole('table', { name: 'What it will do' })
    const field = drawer.getByRole('textbox')
    await user.type(field, 'stop{Enter}')
    expect(drawer.getByRole('alert')).toHaveTextContent('Nothing was done. Type HALT or CLOSE ALL.')
    await user.type(field, '!')
    expect(drawer.queryByRole('alert')).toBeNull()
    expect(sent()).toEqual([])
  })

  test('[SHELL-101] while trading is halted, a link leads to where it is resumed', async () => {
    current = { state: 'HALTED', reason: 'Set manually.', since: '2026-11-16T03:00:00Z' }
    const { user, drawer } = await openEmergency()
    await user.click(await drawer.findByRole('link', { name: 'Risk Management' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/risk'))
    expect(screen.queryByRole('complementary', { name: 'Emergency control' })).toBeNull()
  })

  test('[SHELL-104] while trading is active, nothing is said about a restriction', async () => {
    current = { state: 'ACTIVE', reason: 'Set manually.', since: '2026-11-16T03:00:00Z' }
    const { drawer } = await openEmergency()
    expect(await drawer.findByText('ACTIVE')).toHaveAttribute('aria-current', 'true')
    expect(drawer.queryByText(/Set manually|Since|It never resumes/)).toBeNull()
  })

  test('[SHELL-37] switches to reduce-only', async () => {
    const { user, drawer } = await openEmergency()
    await user.click(drawer.getByRole('button', { name: 'Reduce Only' }))
    await waitFor(() => expect(sent()).toEqual([{ state: 'REDUCING' }]))
    expect(await drawer.findByText('on')).toBeVisible()
  })

  test('[SHELL-85] while trading is halted, holding a button switches to reduce-only', async () => {
    current = { state: 'HALTED', reason: 'Set manually.', since: '2026-11-16T03:00:00Z' }
    const { drawer } = await openEmergency()
    const button = await drawer.findByRole('button', { name: 'Hold 1.5 s to reduce only' })
    fireEvent.pointerDown(button, { button: 0 })
    await advanceTime(HOLD_MS + 100)
    await waitFor(() => expect(sent()).toEqual([{ state: 'REDUCING' }]))
    await waitFor(() => expect(drawer.queryByRole('button', { name: /to reduce only/ })).toBeNull())
  })

  test('[SHELL-37] says what may have happened when no answer comes', async () => {
    const { user, drawer } = await openEmergency()
    api.drop(tradingState.change)
    await user.type(drawer.getByRole('textbox'), 'halt{Enter}')
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual([
        'No answer. Trading may have been halted; check the trading state before trying again.',
      ]),
    )
  })

  test('[SHELL-41] says in numbers what closing everything will do', async () => {
    const { drawer } = await openEmergency()
    const table = within(await drawer.findByRole('table', { name: 'What it will do' }))
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'What it will doOrdersPositionsTo close',
      'BINANCE31$1,000.00',
      'BYBIT01$500.50',
      'Total32$1,500.50',
    ])
  })

  test('[SHELL-41] closes everything when held, reports per venue and names what is left', async () => {
    api.answer(emergency.start, () => {
      closing = ONE_LEFT
      current = { state: 'REDUCING', reason: 'Set by the emergency control.', since: '2026-11-16T03:00:00Z' }
      return Response.json(closing)
    })
    const { drawer } = await openEmergency()
    fireEvent.pointerDown(await drawer.findByRole('button', { name: 'Hold 1.5 s to close all' }), {
      button: 0,
    })
    await advanceTime(HOLD_MS + 100)
    const table = within(await drawer.findByRole('table', { name: 'What it did' }))
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'What it didCancelledClosedLeft',
      'BINANCE310',
      'BYBIT001',
    ])
    expect(drawer.getByRole('listitem')).toHaveTextContent('-2 BTCUSDT-PERP.BYBITBYBIT is not connected.')
    expect(api.calls(emergency.start)).toHaveLength(1)
    expect(await screen.findByText('1 position still open.')).toBeVisible()
  })

  const ENDED_FLAT: Emergency = {
    ...NOTHING_CLOSED,
    started_at: '2026-11-16T03:00:00Z',
    ended_at: '2026-11-16T03:00:01Z',
    outcome: 'flat',
    venues: [{ ...NOW_OPEN, orders: 0, orders_at_start: 1 }],
    open: [],
  }

  test('[SHELL-105] reports what it did where there were only working orders', async () => {
    closing = ENDED_FLAT
    const { drawer } = await openEmergency()
    const table = await drawer.findByRole('table', { name: 'What it did' })
    expect(rowsOf(table)).toEqual(['What it didCancelledClosedLeft', 'BINANCE100'])
    expect(drawer.getByText(/All closed 2026-11-16 03:00:01 UTC/)).toBeVisible()
    expect(drawer.queryByText('There is no working order and no open position.')).toBeNull()
  })

  test('[SHELL-105] reports that there was nothing', async () => {
    closing = { ...ENDED_FLAT, venues: [] }
    const { drawer } = await openEmergency()
    expect(await drawer.findByText('There was no working order and no open position.')).toBeVisible()
    expect(drawer.getByText(/All closed 2026-11-16 03:00:01 UTC/)).toBeVisible()
  })

  test('[SHELL-105] later orders do not change the report, and are what it will do', async () => {
    closing = { ...ENDED_FLAT, venues: [{ ...NOW_OPEN, orders: 1, orders_at_start: 2 }] }
    const { drawer } = await openEmergency()
    const did = await drawer.findByRole('table', { name: 'What it did' })
    expect(rowsOf(did)[1]).toBe('BINANCE200')
    const will = drawer.getByRole('table', { name: 'What it will do' })
    expect(rowsOf(will)[1]).toBe('BINANCE10$0.00')
  })

  test('[SHELL-105] once trading is resumed, shows what a new one will do', async () => {
    closing = ENDED_FLAT
    const { drawer } = await openEmergency()
    await drawer.findByRole('table', { name: 'What it did' })
    closing = { ...ENDED_FLAT, resumed_at: '2026-11-16T03:00:09Z', venues: [NOW_OPEN] }
    await advanceTime(POLL_MS)
    await drawer.findByRole('table', { name: 'What it will do' })
    expect(drawer.queryByRole('table', { name: 'What it did' })).toBeNull()
  })

  test('[SHELL-41] closes everything when the word is typed', async () => {
    api.on(emergency.start, ONE_LEFT)
    const { user, drawer } = await openEmergency()
    await drawer.findByRole('table', { name: 'What it will do' })
    await user.type(drawer.getByRole('textbox'), 'close all{Enter}')
    await waitFor(() => expect(api.calls(emergency.start)).toHaveLength(1))
  })

  test('[SHELL-41] closing can be ended', async () => {
    closing = ONE_LEFT
    api.on(emergency.end, { ...ONE_LEFT, is_active: false, outcome: 'ended' })
    const { user, drawer } = await openEmergency()
    await user.click(await drawer.findByRole('button', { name: 'Stop closing' }))
    await waitFor(() => expect(api.calls(emergency.end)).toHaveLength(1))
  })
})
