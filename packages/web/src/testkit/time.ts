import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Stops the clock: from here on only advanceTime moves it. */
export function freezeTime(): void {
  vi.useFakeTimers()
}

export async function advanceTime(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}
