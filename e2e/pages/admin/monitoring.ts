import type { Locator } from '@playwright/test'
import { figure } from '#pages/figure.ts'
import { Screen } from '#pages/screen.ts'

export class MonitoringPage extends Screen {
  readonly path = '/admin/monitoring'
  readonly title = 'Monitoring'

  figure(label: string): Locator {
    return figure(this.main, label)
  }
}
