import { engine, orders, service } from '@binnacle/contract'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { fieldRefusal, problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anOrder } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, { orders: [] })
})

afterEach(clearToasts)

async function openDialog() {
  const { user, queryClient } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('button', { name: 'Create New Order' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Order' }))
  return { user, queryClient, dialog, submit: dialog.getByRole('button', { name: 'Create Order' }) }
}

describe('creating an order', () => {
  test('[ORD-8] [ORD-9] the modal opens with its fields, defaults and steps', async () => {
    const { dialog } = await openDialog()
    expect(dialog.getByLabelText('Instrument')).toHaveValue('BTCUSDT')
    expect(dialog.getByLabelText('Side')).toHaveValue('BUY')
    expect(dialog.getByLabelText('Type')).toHaveValue('LIMIT')
    expect(dialog.getByLabelText('Quantity')).toHaveValue(0.001)
    expect(dialog.getByLabelText('Quantity')).toHaveAttribute('step', '0.001')
    expect(dialog.getByLabelText('Price')).toHaveValue(0)
    expect(dialog.getByLabelText('Price')).toHaveAttribute('step', '0.01')
    const options = (label: string) =>
      within(dialog.getByLabelText(label))
        .getAllByRole('option')
        .map((option) => option.textContent)
    expect(options('Side')).toEqual(['BUY', 'SELL'])
    expect(options('Type')).toEqual(['MARKET', 'LIMIT', 'STOP'])
  })

  test('[ORD-10] [ORD-11] MARKET hides the price and still sends it', async () => {
    const { user, dialog, submit } = await openDialog()
    api.on(orders.place, {})
    await user.clear(dialog.getByLabelText('Price'))
    await user.type(dialog.getByLabelText('Price'), '150.5')
    await user.selectOptions(dialog.getByLabelText('Type'), 'STOP')
    expect(dialog.getByLabelText('Price')).toBeVisible()
    await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
    expect(dialog.queryByLabelText('Price')).toBeNull()
    await user.click(submit)
    await waitFor(() => expect(api.calls(orders.place)).toHaveLength(1))
    expect(api.calls(orders.place)[0]?.body).toEqual({
      instrument: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: 0.001,
      price: 150.5,
    })
  })

  test('[ORD-11] sends the form unchecked, off step and below zero', async () => {
    const { user, dialog, submit } = await openDialog()
    api.on(orders.place, {})
    await user.clear(dialog.getByLabelText('Instrument'))
    await user.type(dialog.getByLabelText('Instrument'), 'ETHUSDT.BYBIT')
    await user.selectOptions(dialog.getByLabelText('Side'), 'SELL')
    await user.clear(dialog.getByLabelText('Quantity'))
    await user.type(dialog.getByLabelText('Quantity'), '-2.00015')
    await user.click(submit)
    await waitFor(() => expect(api.calls(orders.place)).toHaveLength(1))
    expect(api.calls(orders.place)[0]?.body).toEqual({
      instrument: 'ETHUSDT.BYBIT',
      side: 'SELL',
      type: 'LIMIT',
      quantity: -2.00015,
      price: 0,
    })
  })

  test.each([
    ['an order', () => Response.json(anOrder({ id: 'O-9' }))],
    ['nothing at all', () => new Response(null, { status: 204 })],
    ['words', () => new Response('done')],
  ])('[CLIENT-4] [CLIENT-13] an OK with %s closes the modal and loads the list', async (_, answer) => {
    stopPolling()
    const { user, submit } = await openDialog()
    api.answer(orders.place, answer)
    api.on(orders.list, { orders: [anOrder({ id: 'O-9' })] })
    await user.dblClick(submit)
    expect(await screen.findByRole('cell', { name: 'O-9' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.calls(orders.place)).toHaveLength(1)
  })

  test('[ORD-16] an order that is refused says why, and what was typed stays', async () => {
    const { user, dialog, submit } = await openDialog()
    const reason = {
      code: 'limit.order-size',
      sentence: 'The order is worth 500,005.00; Max Order Size is 10,000.00.',
    }
    api.on(orders.place, anOrder({ id: 'O-9', status: 'REJECTED', reason }))
    await user.clear(dialog.getByLabelText('Quantity'))
    await user.type(dialog.getByLabelText('Quantity'), '10')
    await user.click(submit)
    expect(await dialog.findByRole('alert')).toHaveTextContent(reason.sentence)
    expect(dialog.getByLabelText('Quantity')).toHaveValue(10)
    api.on(orders.place, anOrder({ id: 'O-10' }))
    await user.click(submit)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test.each([
    ['limit.order-size', 'Quantity'],
    ['spot.short', 'Quantity'],
    ['price.collar', 'Price'],
    ['stop.past-market', 'Price'],
  ])('[ORD-52] a rejection with the code %s is shown at %s', async (code, field) => {
    const { user, dialog, submit } = await openDialog()
    api.on(orders.place, anOrder({ status: 'REJECTED', reason: { code, sentence: 'This is why.' } }))
    await user.click(submit)
    expect(await dialog.findByRole('alert')).toHaveTextContent('This is why.')
    expect(dialog.getByLabelText(field)).toHaveAccessibleDescription('This is why.')
  })

  test('[CLIENT-18] a refusal is shown at its fields, and a part that concerns none below them', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, dialog, submit } = await openDialog()
    api.answer(orders.place, () => fieldRefusal({ price: 'Enter a price above 0.', quantity: 'Min 0.0001' }))
    await user.click(submit)
    expect(await dialog.findAllByRole('alert')).toHaveLength(2)
    expect(dialog.getByLabelText('Price')).toHaveAccessibleDescription('Enter a price above 0.')
    expect(dialog.getByLabelText('Quantity')).toHaveAccessibleDescription('Min 0.0001')
    api.answer(orders.place, () => fieldRefusal({ price: 'Enter a price above 0.', reduce_only: 'Wrong' }))
    await user.click(submit)
    expect(await dialog.findByText('Refused')).toBeVisible()
    expect(dialog.getByLabelText('Price')).toHaveAccessibleDescription('Enter a price above 0.')
    expect(dialog.getByLabelText('Quantity')).not.toHaveAccessibleDescription()
  })

  test('[ORD-71] a refusal goes when what it concerns is changed', async () => {
    const { user, dialog, submit } = await openDialog()
    const refuse = (code: string) =>
      api.on(orders.place, anOrder({ status: 'REJECTED', reason: { code, sentence: 'This is why.' } }))
    refuse('venue.disconnected')
    await user.click(submit)
    expect(await dialog.findByText('This is why.')).toBeVisible()
    await user.type(dialog.getByLabelText('Quantity'), '5')
    expect(dialog.queryByText('This is why.')).toBeNull()
    refuse('stop.past-market')
    await user.click(submit)
    expect(await dialog.findByText('This is why.')).toBeVisible()
    await user.type(dialog.getByLabelText('Quantity'), '5')
    expect(dialog.getByLabelText('Price')).toHaveAccessibleDescription('This is why.')
    await user.type(dialog.getByLabelText('Price'), '5')
    expect(dialog.queryByText('This is why.')).toBeNull()
    await user.click(submit)
    expect(await dialog.findByText('This is why.')).toBeVisible()
    await user.selectOptions(dialog.getByLabelText('Type'), 'MARKET')
    expect(dialog.queryByText('This is why.')).toBeNull()
  })

  test('[ORD-9] a second order starts from the defaults again', async () => {
    const { user, dialog, submit } = await openDialog()
    api.on(orders.place, {})
    await user.type(dialog.getByLabelText('Quantity'), '5')
    await user.click(submit)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Create New Order' }))
    expect(await screen.findByLabelText('Quantity')).toHaveValue(0.001)
  })

  test('[CLIENT-10] a bare failure is logged, says nothing and keeps what was typed', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, dialog, submit } = await openDialog()
    api.fail(orders.place, 500)
    await user.type(dialog.getByLabelText('Quantity'), '7')
    await user.click(submit)
    await waitFor(() =>
      expect(log).toHaveBeenCalledWith(
        expect.objectContaining({ message: 'API Error: 500 Internal Server Error' }),
      ),
    )
    expect(dialog.getByLabelText('Quantity')).toHaveValue(0.0017)
    expect(toastsOfType('error')).toEqual([])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('[CLIENT-12] a problem is shown', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, submit } = await openDialog()
    api.answer(orders.place, () => problemReply(422, 'There is no instrument BTCUSD.'))
    await user.click(submit)
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no instrument BTCUSD.')
    expect(screen.getByRole('dialog', { name: 'Create New Order' })).toBeVisible()
  })
})

describe('an order whose answer is lost', () => {
  const keys = () => api.calls(orders.place).map(({ headers }) => headers['idempotency-key'])

  async function openLive() {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.drop(orders.place)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    return openDialog()
  }

  async function send(user: Awaited<ReturnType<typeof openDialog>>['user'], submit: HTMLElement) {
    const before = api.calls(orders.place).length
    await user.click(submit)
    await waitFor(() => expect(api.calls(orders.place)).toHaveLength(before + 1))
    await waitFor(() => expect(submit).toBeEnabled())
  }

  async function reopen(user: Awaited<ReturnType<typeof openDialog>>['user']) {
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Create New Order' }))
    return screen.findByRole('button', { name: 'Create Order' })
  }

  const notice = () => screen.queryByText(/^An earlier order is unconfirmed/)

  test('[ORD-22] keeps its key when it is sent again, changed, or from a newly opened form, which says so', async () => {
    const { user, dialog, submit } = await openLive()
    expect(notice()).toBeNull()
    await send(user, submit)
    await send(user, submit)
    await user.selectOptions(dialog.getByLabelText('Side'), 'SELL')
    await send(user, submit)
    const again = await reopen(user)
    expect(notice()).toHaveTextContent(
      'An earlier order is unconfirmed: BUY 0.001 BTCUSDT or SELL 0.001 BTCUSDT. Until it is, at most one order is placed: that one or the next.',
    )
    await send(user, again)
    expect(keys()).toHaveLength(4)
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys()).size).toBe(1)
  })

  test('[ORD-22] keeps its key over a reload of the page', async () => {
    const { user, submit } = await openLive()
    await send(user, submit)
    cleanup()
    const reloaded = await openDialog()
    expect(notice()).toBeVisible()
    await send(reloaded.user, reloaded.submit)
    expect(new Set(keys()).size).toBe(1)
  })

  test('[ORD-30] after an answer, also a refusal, the same order gets a new key', async () => {
    const { user, submit } = await openLive()
    api.answer(orders.place, () => problemReply(422, 'Price 0 is off.'))
    await send(user, submit)
    api.on(orders.place, anOrder({ status: 'REJECTED', reason: { sentence: 'No.' } }))
    await send(user, submit)
    api.drop(orders.place)
    await send(user, submit)
    expect(new Set(keys()).size).toBe(3)
  })

  test('[ORD-32] once the list shows it, a newly opened form gets a new key', async () => {
    const same = { quantity: 0.001, price: 0 }
    api.on(orders.list, { orders: [anOrder({ id: 'O-1', ...same })] })
    const { user, submit } = await openLive()
    await send(user, submit)
    const again = await reopen(user)
    expect(notice()).toBeVisible()
    await send(user, again)
    api.on(orders.list, { orders: [anOrder({ id: 'O-2', ...same }), anOrder({ id: 'O-1', ...same })] })
    await send(user, again)
    const third = await reopen(user)
    await waitFor(() => expect(notice()).toBeNull())
    await send(user, third)
    const [first, second, pressedAgain, last] = keys()
    expect([second, pressedAgain]).toEqual([first, first])
    expect(last).not.toBe(first)
  })

  const ENGINE = { trader_id: 'T', engine_type: 'embedded', status: 'running', strategies_count: 0 }
  const leaveUnknown = () =>
    api.answer(orders.place, () => problemReply(503, 'The engine stopped.', 'engine.unknown'))
  const hasNoOrder = () =>
    api.answer(orders.byKey, () => problemReply(404, 'There is no order with the key.', 'thing.unknown'))

  test('[ORD-550] the notice names the order and goes once a running engine knows no order by the key', async () => {
    const { user, submit } = await openLive()
    leaveUnknown()
    hasNoOrder()
    api.on(engine.info, { ...ENGINE, is_running: false })
    await send(user, submit)
    const again = await reopen(user)
    expect(notice()).toHaveTextContent('An earlier order is unconfirmed: BUY 0.001 BTCUSDT.')
    expect(api.calls(orders.byKey)).toHaveLength(0)
    cleanup()
    api.on(engine.info, { ...ENGINE, is_running: true })
    const reloaded = await openDialog()
    await waitFor(() => expect(notice()).toBeNull())
    await send(reloaded.user, reloaded.submit)
    expect(again).toBeDefined()
    expect(keys()[1]).not.toBe(keys()[0])
  })

  test('[ORD-551] an order that got no answer at all keeps its key: it may still be on its way', async () => {
    const { user, submit } = await openLive()
    hasNoOrder()
    api.on(engine.info, { ...ENGINE, is_running: true })
    await send(user, submit)
    leaveUnknown()
    await send(user, submit)
    await reopen(user)
    expect(notice()).toBeVisible()
    expect(api.calls(orders.byKey)).toHaveLength(0)
  })

  const ALIKE = { id: 'O-7', quantity: 0.001, price: 0 }

  test.each([
    ['of a strategy', anOrder({ ...ALIKE, strategy: 'S-1' })],
    ['created long before it was sent', anOrder({ ...ALIKE, created_at: '2026-01-01T00:00:00Z' })],
  ])('[ORD-32] an order like it %s is not taken for an unanswered one', async (_, order) => {
    const { user, submit } = await openLive()
    await send(user, submit)
    api.on(orders.list, { orders: [order] })
    await send(user, submit)
    await reopen(user)
    expect(await screen.findByRole('row', { name: /O-7/ })).toBeInTheDocument()
    expect(notice()).toBeVisible()
  })

  test('[ORD-32] an order like it on an older page is not taken for an unanswered one', async () => {
    const { user, submit, queryClient } = await openLive()
    await send(user, submit)
    await reopen(user)
    act(() => queryClient.setQueryData(['orders', 'O-9'], { orders: [anOrder(ALIKE)] }))
    act(() => queryClient.setQueryData(['orders', 'history', {}], { orders: [anOrder(ALIKE)] }))
    expect(notice()).toBeVisible()
  })

  test('[ORD-32] an order of hand that was created just before it was sent, by the clock of the server, shows its outcome', async () => {
    const { user, submit } = await openLive()
    await send(user, submit)
    const created_at = new Date(Date.now() - 30_000).toISOString()
    api.on(orders.list, { orders: [anOrder({ ...ALIKE, strategy: 'MANUAL', created_at })] })
    await send(user, submit)
    await reopen(user)
    await waitFor(() => expect(notice()).toBeNull())
  })

  test('[ORD-33] an earlier order that had arrived is named as the reason why the changed one was not placed', async () => {
    const { user, submit } = await openLive()
    await send(user, submit)
    const problem = {
      type: 'about:blank',
      title: 'The request is not valid',
      status: 422,
      code: 'request.invalid',
      detail: 'The idempotency key was already used for another command (O-1).',
      errors: [{ field: 'header.idempotency-key', message: 'used' }],
    }
    const headers = { 'content-type': 'application/problem+json' }
    api.answer(orders.place, () => new Response(JSON.stringify(problem), { status: 422, headers }))
    await send(user, submit)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The earlier order was placed, so this one was not. Send it again to place it as well.',
    )
  })

  test('[ORD-22] [ORD-31] a backend without capabilities is sent no key', async () => {
    api.drop(orders.place)
    const { user, submit } = await openDialog()
    await send(user, submit)
    expect(keys()).toEqual([undefined])
  })
})
