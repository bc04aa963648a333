import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

/** A screen whose entries have controls of their own. */
export abstract class ControlsScreen extends Screen {
  entry(name: string): Locator {
    return entry(this.main, name)
  }

  action(name: string, action: string): Locator {
    return control(this.entry(name), action)
  }
}
