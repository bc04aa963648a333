import { cleanup, screen } from '@testing-library/react'
import { toast } from 'sonner'
import { vi } from 'vitest'

/** The visible messages of one type, newest first. */
export function toastsOfType(type: 'success' | 'error' | 'warning' | 'info'): string[] {
  return screen
    .queryAllByRole('listitem')
    .filter((item) => item.dataset.type === type && item.dataset.removed !== 'true')
    .map((item) => item.textContent ?? '')
}

/**
 * Removes all toasts, which sonner keeps between tests, and restores real timers. The page goes first: an animation
 * frame that it requests under fake timers would be waited for in every later test, and none would come any more.
 */
export function clearToasts(): void {
  cleanup()
  toast.dismiss()
  vi.useRealTimers()
}
