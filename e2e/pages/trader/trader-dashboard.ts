import type { Locator } from '@playwright/test'
import { entry } from '#pages/entry.ts'
import { figure } from '#pages/figure.ts'
import { Screen } from '#pages/screen.ts'

export class TraderDashboardPage extends Screen {
  readonly path = '/trader'
  readonly title = 'Trader Panel'

  get engine(): Locator {
    return this.card(/engine status/i)
  }

  get riskMetrics(): Locator {
    return this.card('Risk Metrics')
  }

  engineFigure(label: string): Locator {
    return figure(this.engine, label)
  }

  riskFigure(label: string): Locator {
    return figure(this.riskMetrics, label)
  }

  component(name: string): Locator {
    return entry(this.card(/system components/i), name)
  }

  /** Decoration beside the status in words, so it has no role or name. */
  dot(name: string): Locator {
    return this.component(name).locator('i')
  }
}
