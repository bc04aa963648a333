import type { Locator } from '@playwright/test'
import { Screen } from './screen.ts'

export class NotFoundPage extends Screen {
  readonly path = '/404'
  readonly title = 'Page Not Found'

  get goHome(): Locator {
    return this.control('Go Home')
  }

  get offer(): Locator {
    return this.main.getByText(/^Did you mean .+\?$/)
  }

  async openAt(path: string): Promise<void> {
    await this.page.goto(path)
    await this.heading.waitFor()
  }
}
