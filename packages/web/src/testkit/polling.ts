import type { AnyEndpoint } from '@binnacle/contract'
import { focusManager } from '@tanstack/react-query'
import { onTestFinished, vi } from 'vitest'
import type { FakeApi } from './fake-api.ts'

/** Time goes on by itself, as loading a page needs, and passTime pushes it; call it before the page is rendered. */
export function makeTimeMovable(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true })
}

/** For the rest of the test nothing is polled, so that only the act itself can have brought something new. */
export function stopPolling(): void {
  focusManager.setFocused(false)
  onTestFinished(() => focusManager.setFocused(undefined))
}

/** Answers a load with this reply and notes when it was asked for, in the browser's time. */
export function noteTimes(api: FakeApi, endpoint: AnyEndpoint, reply: unknown): number[] {
  const times: number[] = []
  api.answer(endpoint, () => {
    times.push(Date.now())
    return Response.json(reply)
  })
  return times
}

/** How long it was from each call to the next; a busy machine may take a while for the answer itself. */
export function gapsInHalfSeconds(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => Math.floor((time - (times[index] ?? 0)) / 500))
}
