import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export class RiskPage extends Screen {
  readonly path = '/trader/risk'
  readonly title = 'Risk Management'

  get back(): Locator {
    return this.control('← Back to Dashboard')
  }

  get limits(): Locator {
    return this.card('Risk Limits')
  }

  get alerts(): Locator {
    return this.card('Risk Alerts')
  }

  bar(card: 'Total Exposure' | 'Margin Usage'): Locator {
    return this.card(card).getByRole('meter')
  }

  limitAction(name: 'Edit Limits' | 'Save' | 'Cancel'): Locator {
    return control(this.limits, name)
  }
}
