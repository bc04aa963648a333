import type { Locator } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

export class PerformancePage extends Screen {
  readonly path = '/trader/performance'
  readonly title = 'Performance Analytics'

  get figures(): Locator {
    return this.main.getByLabel('Key figures')
  }

  get trades(): Locator {
    return this.panel('Trades')
  }

  panel(name: string): Locator {
    return this.main.getByRole('region', { name, exact: true })
  }
}
