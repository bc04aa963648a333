import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { figure } from '#pages/figure.ts'
import { Screen } from '#pages/screen.ts'

export class StrategiesPage extends Screen {
  readonly path = '/trader/strategies'
  readonly title = 'Strategies'

  strategy(name: string): Locator {
    return this.card(name)
  }

  action(name: string, action: RegExp): Locator {
    return control(this.strategy(name), action)
  }

  figure(name: string, label: string): Locator {
    return figure(this.strategy(name), label)
  }

  get loading(): Locator {
    return this.main.getByText(/^Loading/)
  }

  get deleteQuestion(): Confirmation {
    return new Confirmation(this.page, 'Are you sure you want to delete this strategy?')
  }

  get form(): Locator {
    return this.page.getByRole('dialog', { name: 'Add New Strategy' })
  }

  async openForm(): Promise<void> {
    await this.main.getByRole('button', { name: /^add/i }).click()
    await this.form.waitFor()
  }

  get submit(): Locator {
    return this.form.getByRole('button', { name: 'Add Strategy', exact: true })
  }
}
