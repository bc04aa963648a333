import { service, type TradingState, tradingState } from '@binnacle/contract'
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

beforeEach(() => {
  api = createFakeApi()
  current = { state: 'ACTIVE', reason: null, since: null }
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
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

const sent = () => api.calls(tradingState.change).map(({ body }) => body)

describe('the emergency control', () => {
  test('[SHELL-37] halts after its button was held, and says so', async () => {
    const { drawer } = await openEmergency()
    const button = drawer.getByRole('button', { name: 'Hold 1.5 s to halt' })
    fireEvent.pointerDown(button, { button: 0 })
    await advanceTime(HOLD_MS - 200)
    expect(button).toHaveTextContent(/^Keep holding, 0\.\d s left$/)
    expect(sent()).toEqual([])
    await advanceTime(300)
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
      await advanceTime(HOLD_MS - 200)
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
    const field = drawer.getByRole('textbox', { name: 'Or type HALT and press Enter' })
    await user.type(field, 'HAL{Enter}')
    expect(sent()).toEqual([])
    await user.type(field, 'T{Enter}')
    await waitFor(() => expect(sent()).toEqual([{ state: 'HALTED' }]))
  })

  test('[SHELL-37] switches to reduce-only', async () => {
    const { user, drawer } = await openEmergency()
    await user.click(drawer.getByRole('button', { name: 'Reduce Only' }))
    await waitFor(() => expect(sent()).toEqual([{ state: 'REDUCING' }]))
    expect(await drawer.findByText('on')).toBeVisible()
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
})
