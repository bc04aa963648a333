import { risk, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal, problemReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { riskMetrics } from '#testkit/trading.ts'

const stored = {
  max_order_size: 12_500,
  max_position_size: 60_000,
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

async function openLimits() {
  const { user } = renderConsole('/trader/risk')
  const panel = within(await screen.findByRole('region', { name: 'Risk Limits' }))
  return { user, panel }
}

async function editLimits() {
  const { user, panel } = await openLimits()
  await user.click(await panel.findByRole('button', { name: 'Edit Limits' }))
  const retype = async (label: string, text: string) => {
    await user.clear(panel.getByLabelText(label))
    if (text !== '') await user.type(panel.getByLabelText(label), text)
  }
  return { user, panel, retype }
}

describe('editing the limits', () => {
  test('[RISK-9] the panel shows the stored limits, and Edit Limits opens them as numbers', async () => {
    const { user, panel } = await openLimits()
    for (const text of ['$12,500.00', '$60,000.00', '$4,200.50', '8']) {
      expect(panel.getByText(text)).toBeVisible()
    }
    expect(panel.queryByText('default')).toBeNull()
    expect(panel.queryByRole('button', { name: 'Save' })).toBeNull()
    await user.click(panel.getByRole('button', { name: 'Edit Limits' }))
    const inputs = ['Max Order Size', 'Max Position Size', 'Max Daily Loss', 'Max Positions']
    const values = inputs.map((label) => panel.getByLabelText(label))
    for (const input of values) expect(input).toHaveAttribute('type', 'number')
    expect(values.map((input) => input instanceof HTMLInputElement && input.value)).toEqual([
      '12500',
      '60000',
      '4200.5',
      '8',
    ])
    expect(panel.getByRole('button', { name: 'Save' })).toBeEnabled()
    expect(panel.queryByRole('button', { name: 'Edit Limits' })).toBeNull()
  })

  test('[RISK-10] with none loaded the form holds the defaults', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    api.drop(risk.limits)
    api.drop(risk.metrics)
    const { panel } = await editLimits()
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(10_000)
    expect(panel.getByLabelText('Max Position Size')).toHaveValue(50_000)
    expect(panel.getByLabelText('Max Daily Loss')).toHaveValue(5_000)
    expect(panel.getByLabelText('Max Positions')).toHaveValue(10)
  })

  test('[RISK-11] [RISK-12] Save sends three decimals and a whole number, once, and shows what is then stored', async () => {
    stopPolling()
    const { user, panel, retype } = await editLimits()
    api.answer(risk.saveLimits, () => new Response(null, { status: 204 }))
    await retype('Max Order Size', '9999.75')
    await retype('Max Positions', '5.9')
    api.on(risk.limits, { ...stored, max_order_size: 9_999.75, max_positions: 5 })
    await user.dblClick(panel.getByRole('button', { name: 'Save' }))
    expect(await panel.findByText('$9,999.75')).toBeVisible()
    expect(panel.getByText('5')).toBeVisible()
    expect(panel.getByRole('button', { name: 'Edit Limits' })).toBeVisible()
    expect(api.calls(risk.saveLimits).map(({ body }) => body)).toEqual([
      { max_order_size: 9999.75, max_position_size: 60_000, max_daily_loss: 4_200.5, max_positions: 5 },
    ])
  })

  test('[ORD-71] a refused limit shows why until it is changed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    api.answer(risk.saveLimits, () => fieldRefusal({ max_daily_loss: 'Enter an amount above 0.' }))
    const { user, panel, retype } = await editLimits()
    await user.click(panel.getByRole('button', { name: 'Save' }))
    expect(await panel.findByText('Enter an amount above 0.')).toBeVisible()
    await retype('Max Positions', '3')
    expect(panel.getByText('Enter an amount above 0.')).toBeVisible()
    await retype('Max Daily Loss', '3')
    expect(panel.queryByText('Enter an amount above 0.')).toBeNull()
  })

  test('[ORD-76] with a live backend Max Order Size 0 is saved only after a yes', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(risk.saveLimits, {})
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '0')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    const name = 'Max Order Size 0 refuses every order. Save?'
    const question = () => screen.findByRole('dialog', { name })
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(risk.saveLimits)).toHaveLength(0)
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await user.click(within(await question()).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
  })

  test('[ORD-80] each limit of 0 is said with what it stops, in one question', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(risk.saveLimits, {})
    const { user, panel, retype } = await editLimits()
    await retype('Max Position Size', '0')
    await retype('Max Daily Loss', '0')
    await retype('Max Positions', '0')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    const name =
      'Max Position Size 0 refuses every order that opens or adds to a position. ' +
      'Max Daily Loss 0 switches to reduce-only as soon as the day shows no gain. ' +
      'Max Positions 0 refuses every order that opens a position. Save?'
    const question = within(await screen.findByRole('dialog', { name }))
    expect(api.calls(risk.saveLimits)).toHaveLength(0)
    await user.click(question.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
  })

  test('[RISK-85] with a live backend a limit that grows more than tenfold is saved only after a yes', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(risk.saveLimits, {})
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '1250000')
    await retype('Max Daily Loss', '0')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    const name =
      'Max Daily Loss 0 switches to reduce-only as soon as the day shows no gain. ' +
      'Max Order Size is 100 times the current value. Save?'
    const question = within(await screen.findByRole('dialog', { name }))
    expect(api.calls(risk.saveLimits)).toHaveLength(0)
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await retype('Max Daily Loss', '1')
    await retype('Max Order Size', '125000')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
    expect(api.calls(risk.saveLimits)[0]?.body).toMatchObject({ max_order_size: 125_000 })
  })

  test('[RISK-11] the form sets no bounds and shows no messages', async () => {
    const { user, panel, retype } = await editLimits()
    api.on(risk.saveLimits, {})
    await retype('Max Daily Loss', '-1')
    await retype('Max Positions', '')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
    expect(api.calls(risk.saveLimits)[0]?.body).toMatchObject({ max_daily_loss: -1, max_positions: null })
  })

  test('[CLIENT-18] a refused limit is shown at its field', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, panel } = await editLimits()
    api.answer(risk.saveLimits, () => fieldRefusal({ max_positions: 'Enter a whole number from 1.' }))
    await user.click(panel.getByRole('button', { name: 'Save' }))
    expect(await panel.findByRole('alert')).toHaveTextContent('Enter a whole number from 1.')
    expect(panel.getByLabelText('Max Positions')).toHaveAccessibleDescription('Enter a whole number from 1.')
  })

  test('[SHELL-113] with a live backend edited limits are left only after a question', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    const { user, panel, retype } = await editLimits()
    const closeTab = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(closeTab()).toBe(true)
    await retype('Max Order Size', '777')
    expect(closeTab()).toBe(false)
    await retype('Max Order Size', '12500')
    expect(closeTab()).toBe(true)
    await retype('Max Order Size', '777')
    const orders = () => screen.getAllByRole('link', { name: 'Orders' })[0] ?? document.body
    await user.click(orders())
    const name = 'Discard the changes to the risk limits?'
    const question = await screen.findByRole('dialog', { name })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(777)
    await user.click(orders())
    const again = await screen.findByRole('dialog', { name })
    await user.click(within(again).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
  })

  test('[SHELL-116] [SHELL-117] the palette, opened from a field, leaves edited limits only after a question', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '777')
    const goTo = async (text: string) => {
      await user.keyboard('{Control>}k{/Control}')
      await user.type(await screen.findByRole('combobox', { name: 'Screen' }), `${text}{Enter}`)
    }
    await goTo('risk')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const name = 'Discard the changes to the risk limits?'
    await goTo('orders')
    const question = await screen.findByRole('dialog', { name })
    await waitFor(() => expect(within(question).getByRole('button', { name: 'Keep editing' })).toHaveFocus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(777)
    await goTo('orders')
    const again = await screen.findByRole('dialog', { name })
    await user.click(within(again).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
  })

  test('[SHELL-116] the question keeps the focus when the palette gives its own back later', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    const { user, retype } = await editLimits()
    await retype('Max Order Size', '777')
    await user.keyboard('{Control>}k{/Control}')
    const screens = await screen.findByRole('combobox', { name: 'Screen' })
    const nextFrame: FrameRequestCallback[] = []
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((draw) => nextFrame.push(draw))
    await user.type(screens, 'orders{Enter}')
    const keep = await screen.findByRole('button', { name: 'Keep editing' })
    await waitFor(() => expect(keep).toHaveFocus())
    for (const draw of nextFrame) draw(0)
    expect(keep).toHaveFocus()
  })

  test('[SHELL-113] limits that were opened and not changed are left at once', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    const { user } = await editLimits()
    await user.click(screen.getAllByRole('link', { name: 'Orders' })[0] ?? document.body)
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('[RISK-13] Cancel restores the stored limits and makes no call', async () => {
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '1')
    await user.click(panel.getByRole('button', { name: 'Cancel' }))
    expect(panel.getByText('$12,500.00')).toBeVisible()
    await user.click(panel.getByRole('button', { name: 'Edit Limits' }))
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(12_500)
    expect(api.calls(risk.saveLimits)).toEqual([])
  })

  test('[RISK-14] [RISK-13] polling leaves what is typed alone, and Cancel shows what it brought', async () => {
    fakeRunningClock()
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '777')
    api.on(risk.limits, { ...stored, max_order_size: 3_000, max_positions: 2 })
    api.on(risk.metrics, riskMetrics({ total_exposure: 30_000 }))
    await advanceTime(5100)
    expect(await screen.findByText('$30,000.00')).toBeVisible()
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(777)
    expect(panel.getByLabelText('Max Positions')).toHaveValue(8)
    expect(panel.queryByText(/changed meanwhile/)).toBeNull()
    await user.click(panel.getByRole('button', { name: 'Cancel' }))
    expect(panel.getByText('$3,000.00')).toBeVisible()
  })

  test('[RISK-29] with a live backend a limit that was not typed into shows and sends what is stored now', async () => {
    fakeRunningClock()
    api.on(service.capabilities, { capabilities: ['problems'] })
    const { user, panel, retype } = await editLimits()
    await retype('Max Order Size', '777')
    api.on(risk.limits, { ...stored, max_daily_loss: 200 })
    await advanceTime(5100)
    await waitFor(() => expect(panel.getByLabelText('Max Daily Loss')).toHaveValue(200))
    api.on(risk.saveLimits, {})
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
    expect(api.calls(risk.saveLimits)[0]?.body).toEqual({
      max_order_size: 777,
      max_position_size: 60_000,
      max_daily_loss: 200,
      max_positions: 8,
    })
  })

  test('[RISK-29] [RISK-40] with a live backend a limit that another person changed too says so and stays as typed', async () => {
    fakeRunningClock()
    api.on(service.capabilities, { capabilities: ['problems'] })
    const { user, panel, retype } = await editLimits()
    await retype('Max Daily Loss', '900')
    await retype('Max Positions', '5')
    await retype('Max Order Size', '777')
    expect(panel.queryByText(/changed meanwhile/)).toBeNull()
    api.on(risk.limits, { ...stored, max_daily_loss: 200, max_positions: 2, max_order_size: 777 })
    await advanceTime(5100)
    expect(await panel.findByText('Now 200.00, changed meanwhile')).toBeVisible()
    expect(panel.getByText('Now 2, changed meanwhile')).toBeVisible()
    expect(panel.getAllByText(/changed meanwhile/)).toHaveLength(2)
    expect(panel.getByLabelText('Max Daily Loss')).toHaveValue(900)
    api.on(risk.saveLimits, {})
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(risk.saveLimits)).toHaveLength(1))
    expect(api.calls(risk.saveLimits)[0]?.body).toMatchObject({ max_daily_loss: 900, max_positions: 5 })
  })

  test('[CLIENT-10] a bare failure to save is logged only and keeps what was typed', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, panel, retype } = await editLimits()
    api.fail(risk.saveLimits)
    await retype('Max Order Size', '777')
    await user.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(log).toHaveBeenCalled())
    await waitFor(() => expect(panel.getByRole('button', { name: 'Save' })).toBeEnabled())
    expect(panel.getByLabelText('Max Order Size')).toHaveValue(777)
    expect(toastsOfType('error')).toEqual([])
  })

  test('[CLIENT-12] a problem with the limits is shown', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, panel } = await editLimits()
    api.answer(risk.saveLimits, () => problemReply(422, 'A limit cannot be below zero.'))
    await user.click(panel.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('A limit cannot be below zero.')
  })
})
