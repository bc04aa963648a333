import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export type MaintenanceCard = 'PostgreSQL' | 'Parquet' | 'Redis' | 'Maintenance'

export class MaintenancePage extends Screen {
  readonly path = '/admin/database'
  readonly title = 'Database'

  action(card: MaintenanceCard, name: string): Locator {
    return control(this.card(card), name)
  }
}
