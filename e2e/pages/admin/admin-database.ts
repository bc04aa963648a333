import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export class AdminDatabasePage extends Screen {
  readonly path = '/admin/database-management'
  readonly title = 'Admin Database'

  setting(key: string): Locator {
    return entry(this.main, key)
  }

  user(name: string): Locator {
    return entry(this.card('Admin Users'), name)
  }

  config(name: string): Locator {
    return entry(this.card('API Configurations'), name)
  }

  async openTab(name: string): Promise<void> {
    await this.main.getByRole('tab', { name }).click()
  }

  async edit(key: string, value: string): Promise<void> {
    await control(this.setting(key), 'Edit').click()
    await this.setting(key).getByRole('textbox').fill(value)
  }

  async finish(key: string, name: 'Save' | 'Cancel'): Promise<void> {
    await control(this.setting(key), name).click()
  }
}
