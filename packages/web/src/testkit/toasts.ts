import { act, screen } from '@testing-library/react'
import { toast } from 'sonner'
import { vi } from 'vitest'

/** The visible messages of one type, newest first. */
export function toastsOfType(type: 'success' | 'error' | 'warning' | 'info'): string[] {
  return screen
    .queryAllByRole('listitem')
    .filter((item) => item.dataset.type === type && item.dataset.removed !== 'true')
    .map((item) => item.textContent ?? '')
}

/** Removes all toasts, which sonner keeps between tests, and restores real timers. */
export async function clearToasts(): Promise<void> {
  vi.useFakeTimers()
  await act(async () => {
    toast.dismiss()
    await vi.advanceTimersByTimeAsync(1000)
  })
  vi.useRealTimers()
}
