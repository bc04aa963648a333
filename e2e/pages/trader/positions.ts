import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { figure } from '#pages/figure.ts'
import { Screen } from '#pages/screen.ts'

export class PositionsPage extends Screen {
  readonly path = '/trader/positions'
  readonly title = 'Positions'

  get columns(): Locator {
    return this.main.getByRole('columnheader')
  }

  get rows(): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByRole('cell') })
  }

  get loading(): Locator {
    return this.main.getByText(/^Loading/)
  }

  position(id: string): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByText(id, { exact: true }) })
  }

  close(id: string): Locator {
    return control(this.position(id), /^close(?! part)/i)
  }

  exits(id: string): Locator {
    return control(this.position(id), /^stop-loss and take-profit/i)
  }

  get closeQuestion(): Confirmation {
    return new Confirmation(this.page, 'Close this position?')
  }

  summary(label: string): Locator {
    return figure(this.main, label)
  }
}
