import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { Screen } from '#pages/screen.ts'

export type SettingsSection = 'General' | 'Notifications' | 'Security' | 'Performance'

export class SettingsPage extends Screen {
  readonly path = '/admin/settings'
  readonly title = 'Settings'

  field(section: SettingsSection, label: string | RegExp): Locator {
    return this.card(section).getByLabel(label)
  }

  /** Chooses a file in the dialog of Import. */
  async chooseFile(content: object): Promise<void> {
    const buffer = Buffer.from(JSON.stringify(content))
    const file = { name: 'settings.json', mimeType: 'application/json', buffer }
    await this.page.getByRole('dialog').getByLabel('Settings file').setInputFiles(file)
  }

  action(section: SettingsSection, name: 'Save' | 'Reset'): Locator {
    return control(this.card(section), name)
  }
}
