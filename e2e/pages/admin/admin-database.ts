import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export class AdminDatabasePage extends Screen {
  readonly path = '/admin/database-management'
  readonly title = /admin database/i

  setting(key: string): Locator {
    return entry(this.main, key)
  }

  async edit(key: string, value: string): Promise<void> {
    await control(this.setting(key), /^edit/i).click()
    await this.setting(key).getByRole('textbox').fill(value)
  }

  async save(key: string): Promise<void> {
    await control(this.setting(key), /^save/i).click()
  }

  async cancel(key: string): Promise<void> {
    await control(this.setting(key), /^cancel/i).click()
  }
}
