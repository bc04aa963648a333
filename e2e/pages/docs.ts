import type { Locator } from '@playwright/test'
import { Screen } from './screen.ts'

export type DocsTab = 'Getting Started' | 'API Reference' | 'User Guide' | 'Architecture' | 'Deployment'

export class DocsPage extends Screen {
  readonly path = '/docs'
  readonly title = 'Documentation'

  get tabs(): Locator {
    return this.main.getByRole('tab')
  }

  get panel(): Locator {
    return this.main.getByRole('tabpanel')
  }

  async choose(tab: DocsTab): Promise<void> {
    await this.main.getByRole('tab', { name: tab }).click()
  }
}
