import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export type MaintenanceCard = 'PostgreSQL' | 'Parquet' | 'Redis' | 'Maintenance'

export class MaintenancePage extends Screen {
  readonly path = '/admin/database'
  readonly title = 'Database'

  optimizeQuestion(target: string): Confirmation {
    return new Confirmation(this.page, `Optimize ${target}?`)
  }

  /** The confirmation before something is removed, which names it. */
  get removeQuestion(): Confirmation {
    return new Confirmation(this.page, 'Clean now?')
  }

  get restoreQuestion(): Confirmation {
    return new Confirmation(
      this.page,
      'Are you sure you want to restore this backup? Current data will be overwritten.',
    )
  }

  action(card: MaintenanceCard, name: string): Locator {
    return control(this.card(card), name)
  }
}
