import type { AnyEndpoint } from '@binnacle/contract'
import { focusManager } from '@tanstack/react-query'
import { onTestFinished, vi } from 'vitest'
import type { FakeApi } from './fake-api.ts'

/** Fake timers that also advance by themselves, as loading a page needs. Call before rendering. */
export function fakeRunningClock(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true })
}

/** Stops polling for the rest of the test, so that only the command itself can reload a list. */
export function stopPolling(): void {
  focusManager.setFocused(false)
  onTestFinished(() => focusManager.setFocused(undefined))
}

/** Answers with this reply and records the time of each call. */
export function recordCallTimes(api: FakeApi, endpoint: AnyEndpoint, reply: unknown): number[] {
  const times: number[] = []
  api.answer(endpoint, () => {
    times.push(Date.now())
    return Response.json(reply)
  })
  return times
}

/** The gaps between calls, coarse because a busy machine answers late. */
export function gapsInHalfSeconds(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => Math.floor((time - (times[index] ?? 0)) / 500))
}
