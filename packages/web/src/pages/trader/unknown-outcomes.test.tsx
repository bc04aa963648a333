import {
  type AnyEndpoint,
  orders,
  positions,
  risk,
  service,
  strategies,
  strategyTypes,
  tradingState,
} from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply, problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anOrder, aPosition, aStrategy, riskMetrics } from '#testkit/trading.ts'

let api: FakeApi
let log: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  api = createFakeApi()
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
  api.on(orders.list, { orders: [anOrder()] })
  api.on(positions.list, { positions: [aPosition()] })
  api.on(strategies.list, {
    strategies: [
      aStrategy({ id: 'S-1', name: 'Runner', status: 'running' }),
      aStrategy({ id: 'S-2', name: 'Resting', status: 'stopped' }),
    ],
  })
  api.on(strategyTypes.list, {
    strategy_types: [
      {
        type: 'momentum',
        title: 'Momentum',
        about: 'Follows the trend.',
        earns_when: 'In a trend.',
        loses_when: 'Without one.',
        parameters: [],
      },
    ],
  })
  api.on(risk.metrics, riskMetrics())
  api.on(risk.limits, {})
  api.on(tradingState.get, { state: 'REDUCING', reason: null, since: null })
})

afterEach(clearToasts)

function serveLive() {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state', 'strategy-types'] })
}

const press = async (user: UserEvent, name: string) => user.click(await screen.findByRole('button', { name }))

const confirmIn = async (user: UserEvent, dialog: string, name: string) =>
  user.click(within(await screen.findByRole('dialog', { name: dialog })).getByRole('button', { name }))

interface Act {
  act: string
  path: string
  call: AnyEndpoint
  send: (user: UserEvent) => Promise<unknown>
  says: string
}

const card = async (name: string) =>
  within((await screen.findByText(name)).closest('section') ?? document.body)

const acts: Act[] = [
  {
    act: 'Create Order',
    path: '/trader/orders',
    call: orders.place,
    send: async (user) => {
      await press(user, 'Create New Order')
      await press(user, 'Create Order')
    },
    says: 'No answer. The order may have been placed; check the list before sending it again.',
  },
  {
    act: 'Cancel',
    path: '/trader/orders',
    call: orders.cancel,
    send: async (user) => {
      await press(user, 'Cancel')
      await confirmIn(user, 'Cancel this order?', 'Cancel Order')
    },
    says: 'No answer. Order O-1 may have been cancelled; check the list before cancelling it again.',
  },
  {
    act: 'Close',
    path: '/trader/positions',
    call: positions.close,
    send: async (user) => {
      await press(user, 'Close')
      await confirmIn(user, 'Close this position?', 'Close Position')
    },
    says: 'No answer. Position P-1 may have been closed; check the list before closing it again.',
  },
  {
    act: 'Start',
    path: '/trader/strategies',
    call: strategies.start,
    send: (user) => press(user, 'Start'),
    says: 'No answer. Resting may have been started; check its status before trying again.',
  },
  {
    act: 'Stop',
    path: '/trader/strategies',
    call: strategies.stop,
    send: (user) => press(user, 'Stop'),
    says: 'No answer. Runner may have been stopped; check its status before trying again.',
  },
  {
    act: 'Delete',
    path: '/trader/strategies',
    call: strategies.remove,
    send: async (user) => {
      await user.click((await card('Runner')).getAllByRole('button', { name: 'Delete' })[0] as HTMLElement)
      await confirmIn(user, 'Are you sure you want to delete this strategy?', 'Delete')
    },
    says: 'No answer. Runner may have been deleted; check the list before trying again.',
  },
  {
    act: 'Add Strategy',
    path: '/trader/strategies',
    call: strategies.add,
    send: async (user) => {
      await press(user, 'Add New Strategy')
      await user.type(await screen.findByLabelText('Name'), 'Harbour')
      await press(user, 'Add Strategy')
    },
    says: 'No answer. The strategy may have been added; check the list before sending it again.',
  },
  {
    act: 'Configure',
    path: '/trader/strategies',
    call: strategies.update,
    send: async (user) => {
      await user.click((await screen.findAllByRole('button', { name: 'Configure' }))[0] as HTMLElement)
      await press(user, 'Save Settings')
    },
    says: 'No answer. The settings may have been saved; check them before saving again.',
  },
  {
    act: 'Save limits',
    path: '/trader/risk',
    call: risk.saveLimits,
    send: async (user) => {
      await press(user, 'Edit Limits')
      await press(user, 'Save')
    },
    says: 'No answer. The limits may have been saved; check them before saving again.',
  },
  {
    act: 'Halt Trading',
    path: '/trader/risk',
    call: tradingState.change,
    send: async (user) => {
      await press(user, 'Halt Trading')
      await confirmIn(user, 'Halt trading?', 'Halt Trading')
    },
    says: 'No answer. Trading may have been halted; check the trading state before trying again.',
  },
  {
    act: 'Reduce Only',
    path: '/trader/risk',
    call: tradingState.change,
    send: async (user) => {
      api.on(tradingState.get, { state: 'ACTIVE', reason: null, since: null })
      await press(user, 'Reduce Only')
      await confirmIn(user, 'Switch to reduce-only?', 'Reduce Only')
    },
    says: 'No answer. Trading may have become reduce-only; check the trading state before trying again.',
  },
  {
    act: 'Resume Trading of the shell',
    path: '/trader/orders',
    call: tradingState.change,
    send: async (user) => {
      await press(user, 'Resume Trading')
      await confirmIn(user, 'Resume trading?', 'Resume Trading')
    },
    says: 'No answer. Trading may have been resumed; check the trading state before trying again.',
  },
]

describe.each(acts)('$act without an answer', ({ act, path, call, send, says }) => {
  test('[CLIENT-15] a lost reply says what may have happened', async () => {
    serveLive()
    if (act === 'Reduce Only') api.on(tradingState.get, { state: 'ACTIVE', reason: null, since: null })
    api.drop(call)
    const { user } = renderConsole(path)
    await send(user)
    expect(await screen.findByText(says)).toBeVisible()
    expect(api.calls(call)).toHaveLength(1)
  })
})

test('[CLIENT-15] a lost reply names the strategy after the list has lost it', async () => {
  serveLive()
  const { promise: reply, reject: loseReply } = Promise.withResolvers<Response>()
  api.answer(strategies.remove, () => reply)
  const { user, queryClient } = renderConsole('/trader/strategies')
  const remove = acts.find(({ act }) => act === 'Delete') as Act
  await remove.send(user)
  await waitFor(() => expect(api.calls(strategies.remove)).toHaveLength(1))
  act(() => queryClient.setQueryData(['strategies'], []))
  act(() => loseReply(new TypeError('Failed to fetch')))
  expect(await screen.findByText(remove.says)).toBeVisible()
})

describe('what counts as no answer', () => {
  const cancel = acts.find(({ act }) => act === 'Cancel') as Act
  const html = { headers: { 'content-type': 'text/html' } }

  test.each([
    ['500 with text', () => new Response('it broke', { status: 500 })],
    ['502 with HTML', () => new Response('<h1>Bad Gateway</h1>', { status: 502, ...html })],
    ['504', () => new Response(null, { status: 504 })],
    ['a timeout', () => Promise.reject(new DOMException('No answer within 30 s', 'TimeoutError'))],
  ])('[CLIENT-15] %s', async (_, answer) => {
    serveLive()
    api.answer(cancel.call, answer)
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([cancel.says]))
  })

  test('[CLIENT-15] a problem with an unknown outcome is shown with what may have happened', async () => {
    serveLive()
    api.answer(cancel.call, () => problemReply(500, 'The server failed.', 'server.fault'))
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([`${cancel.says} (The server failed.)`]))
  })

  test('[CLIENT-550] an outcome that the engine left unknown is shown in the words of the screen alone', async () => {
    serveLive()
    const detail = 'The engine stopped before it answered. Send it again with the same Idempotency-Key.'
    api.answer(cancel.call, () => problemReply(503, detail, 'engine.unknown'))
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([cancel.says]))
  })

  test('[CLIENT-15] a problem that refuses is shown alone, with a 5xx too', async () => {
    serveLive()
    api.answer(cancel.call, () => problemReply(503, 'The engine is halted.', 'engine.halted'))
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual(['The engine is halted.']))
  })

  test('[CLIENT-15] a bare 4xx is a refusal, not silence', async () => {
    serveLive()
    api.fail(cancel.call, 409, 'Conflict')
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual(['The server refused this: API Error: 409 Conflict.']),
    )
  })

  test('[CLIENT-10] in the baseline a bare failure stays silent', async () => {
    api.drop(cancel.call)
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(log).toHaveBeenCalledWith(expect.any(TypeError)))
    expect(toastsOfType('error')).toEqual([])
  })

  test('[CLIENT-16] a new try removes the message of the last one', async () => {
    serveLive()
    api.drop(cancel.call)
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([cancel.says]))
    api.on(cancel.call as typeof orders.cancel, {})
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([]))
  })

  test('[CLIENT-15] [CLIENT-16] a failure that comes before the last message is removed is shown', async () => {
    serveLive()
    api.drop(cancel.call)
    const { user } = renderConsole(cancel.path)
    await cancel.send(user)
    await waitFor(() => expect(toastsOfType('error')).toEqual([cancel.says]))
    // The toaster removes a toast in the next frame, which comes late on a busy machine or in a hidden tab.
    const frames: FrameRequestCallback[] = []
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
    await cancel.send(user)
    await waitFor(() => expect(api.calls(cancel.call)).toHaveLength(2))
    await waitFor(() => expect(toastsOfType('error')).toHaveLength(2))
    act(() => {
      for (const frame of frames) frame(0)
    })
    await waitFor(() => expect(toastsOfType('error')).toEqual([cancel.says]))
  })

  test('[CLIENT-15] a form that was left while it was sent reports by a toast', async () => {
    serveLive()
    const { promise, reject } = Promise.withResolvers<Response>()
    api.answer(orders.place, () => promise)
    const place = acts.find(({ act }) => act === 'Create Order') as Act
    const { user } = renderConsole(place.path)
    await place.send(user)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Screen' }), 'trader positions{Enter}')
    await screen.findByRole('heading', { name: 'Positions' })
    reject(new TypeError('Failed to fetch'))
    await waitFor(() => expect(toastsOfType('error')).toEqual([place.says]))
  })
})

describe('a dialog', () => {
  async function openOrder() {
    serveLive()
    const { user } = renderConsole('/trader/orders')
    await press(user, 'Create New Order')
    const dialog = await screen.findByRole('dialog', { name: 'Create New Order' })
    return { user, dialog }
  }
  const overlay = () => document.querySelector('.mantine-Modal-overlay') as HTMLElement

  test('[SHELL-22] cannot be closed while its command is being sent', async () => {
    const answer = holdReply(api, orders.place, anOrder({ id: 'O-9' }))
    const { user, dialog } = await openOrder()
    await user.click(within(dialog).getByRole('button', { name: 'Create Order' }))
    await user.keyboard('{Escape}')
    await user.click(overlay())
    expect(within(dialog).getByRole('button', { name: 'Close' })).toBeDisabled()
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeDisabled()
    expect(dialog).toBeVisible()
    answer()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('[SHELL-23] with a changed form asks before it is discarded', async () => {
    const { user, dialog } = await openOrder()
    await user.type(within(dialog).getByLabelText('Quantity'), '5')
    await user.keyboard('{Escape}')
    await confirmIn(user, 'Discard your changes?', 'Keep Editing')
    expect(within(dialog).getByLabelText('Quantity')).toHaveValue(0.0015)
    await user.click(overlay())
    await confirmIn(user, 'Discard your changes?', 'Discard')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await press(user, 'Create New Order')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
