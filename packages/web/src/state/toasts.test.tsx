import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ConsoleToaster } from '#app/shell/console-toaster.tsx'
import { ApiError } from '#data/failure.ts'
import { notify, showRefusal, toast, toastFailure } from './toasts.ts'

const aProblem = {
  type: 'about:blank',
  title: 'No',
  status: 422,
  detail: 'Quantity 0 is too small',
  code: 'x',
}

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(<ConsoleToaster />)
  })

  afterEach(async () => {
    await act(async () => {
      sonner.dismiss()
      await vi.advanceTimersByTimeAsync(1000)
    })
    vi.useRealTimers()
  })

  const shown = () => screen.queryAllByRole('listitem').filter((item) => item.dataset.removed !== 'true')
  const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  test.each(['success', 'error', 'warning', 'info'] as const)(
    '[TOAST-1] %s is a toast of its type',
    async (type) => {
      act(() => notify(type, `a ${type}`))
      const item = (await screen.findByText(`a ${type}`)).closest('li')
      expect(item).toHaveAttribute('data-type', type)
    },
  )

  test('[TOAST-2] a notification closes after 5000 ms', async () => {
    act(() => notify('info', 'for a while'))
    await advance(4700)
    expect(shown()).toHaveLength(1)
    await advance(1500)
    expect(shown()).toHaveLength(0)
  })

  test('[TOAST-5] a toast closes after 4000 ms', async () => {
    act(() => toast('info', 'shorter'))
    await advance(3700)
    expect(shown()).toHaveLength(1)
    await advance(1000)
    expect(shown()).toHaveLength(0)
  })

  test('[TOAST-9] a refusal stays 4000 ms, or 80 ms a character when it is longer', async () => {
    act(() => {
      showRefusal('Too small')
      showRefusal('x'.repeat(100))
    })
    await advance(3700)
    expect(shown()).toHaveLength(2)
    await advance(1000)
    expect(shown()).toHaveLength(1)
    await advance(2900)
    expect(shown()).toHaveLength(1)
    await advance(1500)
    expect(shown()).toHaveLength(0)
  })

  test('[TOAST-3][TOAST-4] a duration of 0 stays until its close button is pressed', async () => {
    act(() => notify('warning', 'still here', 0))
    await advance(600_000)
    const item = screen.getByText('still here').closest('li')
    if (!item) throw new Error('the toast is no list item')
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(within(item).getByRole('button', { name: 'Close toast' }))
    await advance(1000)
    await waitFor(() => expect(shown()).toHaveLength(0))
  })

  test('[TOAST-6] at most three are visible', async () => {
    act(() => {
      for (const name of ['one', 'two', 'three', 'four']) notify('info', name)
    })
    await advance(50)
    expect(shown().filter((item) => item.dataset.visible === 'true')).toHaveLength(3)
  })

  test('[TOAST-8] a failure is an error, with what the server said below the screen’s own words', async () => {
    act(() => toastFailure('Failed to add route')(new ApiError(422, 'x', aProblem)))
    const item = (await screen.findByText('Failed to add route')).closest('li')
    expect(item).toHaveAttribute('data-type', 'error')
    expect(item).toHaveTextContent('Quantity 0 is too small')
  })
})
