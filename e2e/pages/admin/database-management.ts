import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export class DatabaseManagementPage extends Screen {
  readonly path = '/admin/db-management'
  readonly title = 'Database Management'

  connection(name: string): Locator {
    return entry(this.main, name)
  }

  async connect(name: string): Promise<void> {
    await this.main.getByRole('button', { name }).click()
  }

  tab(name: 'Tables' | 'Query' | 'Backups'): Locator {
    return this.main.getByRole('tab', { name })
  }

  async chooseTable(name: string): Promise<void> {
    await this.main.getByRole('button', { name, exact: true }).click()
  }

  get pager(): Locator {
    return this.main.getByText(/^Page \d+ \/ /)
  }

  get previous(): Locator {
    return this.control('Prev')
  }

  get next(): Locator {
    return this.control('Next')
  }

  get editor(): Locator {
    return this.main.getByRole('textbox', { name: /sql|query/i })
  }

  backup(text: string): Locator {
    return entry(this.main, text)
  }

  restore(text: string): Locator {
    return control(this.backup(text), /^restore/i)
  }
}
