import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export class OrdersPage extends Screen {
  readonly path = '/trader/orders'
  readonly title = /orders/i

  get columns(): Locator {
    return this.main.getByRole('columnheader')
  }

  order(id: string): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByRole('cell', { name: id, exact: true }) })
  }

  cancel(id: string): Locator {
    return control(this.order(id), /^cancel/i)
  }

  get cancelQuestion(): Confirmation {
    return new Confirmation(this.page, 'Cancel this order?')
  }

  get newOrder(): Locator {
    return this.page.getByRole('dialog', { name: 'Create New Order' })
  }
}
