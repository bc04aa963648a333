import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export class OrdersPage extends Screen {
  readonly path = '/trader/orders'
  readonly title = 'Orders'

  get columns(): Locator {
    return this.main.getByRole('columnheader')
  }

  order(id: string): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByText(id, { exact: true }) })
  }

  cancel(id: string): Locator {
    return control(this.order(id), /^cancel/i)
  }

  get cancelQuestion(): Confirmation {
    return new Confirmation(this.page, 'Cancel this order?')
  }

  get rows(): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByRole('cell') })
  }

  get loading(): Locator {
    return this.main.getByText(/^Loading/)
  }

  get form(): Locator {
    return this.page.getByRole('dialog', { name: 'Create New Order' })
  }

  async openForm(): Promise<void> {
    await this.main.getByRole('button', { name: /new order|create order/i }).click()
    await this.form.waitFor()
  }

  field(label: 'Instrument' | 'Side' | 'Type' | 'Quantity' | 'Price'): Locator {
    return this.form.getByLabel(label)
  }

  async submit(): Promise<void> {
    await this.form.getByRole('button', { name: /^create/i }).click()
  }
}
