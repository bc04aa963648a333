import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export class StrategiesPage extends Screen {
  readonly path = '/trader/strategies'
  readonly title = /strategies/i

  strategy(name: string): Locator {
    return entry(this.main, name)
  }

  action(name: string, action: RegExp): Locator {
    return control(this.strategy(name), action)
  }

  get addDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Add New Strategy' })
  }
}
