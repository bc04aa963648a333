import { act, screen } from '@testing-library/react'
import { toast } from 'sonner'
import { vi } from 'vitest'

/** The messages of one type that are on the screen, the newest first. */
export function toastsOfType(type: 'success' | 'error' | 'warning' | 'info'): string[] {
  return screen
    .queryAllByRole('listitem')
    .filter((item) => item.dataset.type === type && item.dataset.removed !== 'true')
    .map((item) => item.textContent ?? '')
}

/** The toaster remembers across tests; this makes it forget, and gives time back its own pace. */
export async function forgetToasts(): Promise<void> {
  vi.useFakeTimers()
  await act(async () => {
    toast.dismiss()
    await vi.advanceTimersByTimeAsync(1000)
  })
  vi.useRealTimers()
}
