import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export class AdaptersPage extends Screen {
  readonly path = '/admin/adapters'
  readonly title = 'Adapters'

  entry(name: string): Locator {
    return entry(this.main, name)
  }

  action(name: string, action: string): Locator {
    return control(this.entry(name), action)
  }
}
