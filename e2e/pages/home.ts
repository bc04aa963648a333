import type { Locator } from '@playwright/test'
import { control } from './control.ts'
import { Screen } from './screen.ts'

export class HomePage extends Screen {
  readonly path = '/'
  readonly title = 'Binnacle'

  get enterTrader(): Locator {
    return control(this.page, 'Enter Trader Panel')
  }

  get enterAdmin(): Locator {
    return control(this.page, 'Enter Admin Panel')
  }
}
