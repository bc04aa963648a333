import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Stops the clock: from here on only advanceTime moves it. */
export function freezeTime(): void {
  vi.useFakeTimers()
}

/** Stops the time of day while timers run, so that ages do not depend on how long a test takes; `vi.useRealTimers` ends it. */
export function freezeDate(now = '2026-11-16T12:00:00Z'): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
}

export async function advanceTime(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}
