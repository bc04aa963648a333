import type { Locator } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

export class AdminDashboardPage extends Screen {
  readonly path = '/admin'
  readonly title = 'Binnacle Admin Panel'

  get connectionState(): Locator {
    return this.main.getByText(/^(Connecting\.\.\.|Connected: .*|Disconnected)$/)
  }

  get cardLinks(): Locator {
    return this.main.getByRole('link')
  }
}
