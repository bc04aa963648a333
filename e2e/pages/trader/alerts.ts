import type { Locator } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

export class AlertsPage extends Screen {
  readonly path = '/trader/alerts'
  readonly title = 'Alerts & Notifications'

  /** The listed alerts of the state that is shown. */
  get inbox(): Locator {
    return this.main.getByRole('region', { name: 'Inbox' }).getByRole('listitem')
  }

  tab(name: RegExp): Locator {
    return this.main.getByRole('tab', { name })
  }

  get rules(): Locator {
    return this.main.getByRole('table', { name: 'Rules' }).getByRole('row')
  }

  form(name: string): Locator {
    return this.main.getByRole('form', { name })
  }

  async newRule(name: string, threshold: string): Promise<void> {
    await this.main.getByRole('button', { name: 'New rule' }).click()
    await this.form('New rule').getByLabel('Name').fill(name)
    await this.form('New rule').getByLabel('Threshold (price)').fill(threshold)
  }
}
