import type { Locator, Page } from '@playwright/test'

export type ToastType = 'success' | 'error' | 'warning' | 'info'

/** The notifications in the corner. */
export class Toasts {
  readonly region: Locator

  constructor(page: Page) {
    this.region = page.getByRole('region', { name: /notifications/i })
  }

  /** Every toast there is, those hidden behind the visible ones included. */
  get all(): Locator {
    return this.region.getByRole('listitem')
  }

  saying(text: string | RegExp): Locator {
    return this.all.filter({ hasText: text })
  }

  /** The type shows only as an icon without text, so the toaster's data attribute is read. */
  ofType(type: ToastType, text: string | RegExp): Locator {
    return this.region.locator(`[data-sonner-toast][data-type="${type}"]`).filter({ hasText: text })
  }

  async close(toast: Locator): Promise<void> {
    await toast.getByRole('button', { name: /close/i }).click()
  }
}
