import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Stops the clock once the screen stands: from here on it moves only by passTime. */
export function stopTime(): void {
  vi.useFakeTimers()
}

export async function passTime(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}
