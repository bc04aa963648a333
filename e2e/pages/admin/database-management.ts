import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export type DatabaseTab = 'Tables' | 'Query' | 'Backups'

export class DatabaseManagementPage extends Screen {
  readonly path = '/admin/db-management'
  readonly title = 'Database Management'

  connection(name: string): Locator {
    return entry(this.card('Connections'), name)
  }

  async connect(name: string): Promise<void> {
    await this.connection(name).getByRole('button').click()
  }

  async openAt(connection: string, tab: DatabaseTab): Promise<void> {
    await this.open()
    await this.connect(connection)
    await this.tab(tab).click()
  }

  tab(name: DatabaseTab): Locator {
    return this.main.getByRole('tab', { name, exact: true })
  }

  async chooseTable(name: string): Promise<void> {
    await this.main.getByRole('list', { name: 'Tables' }).getByRole('button', { name, exact: true }).click()
  }

  get schema(): Locator {
    return this.main.getByRole('table', { name: 'Schema' })
  }

  get rows(): Locator {
    return this.main.getByRole('region', { name: 'Data', exact: true }).getByRole('row')
  }

  get pager(): Locator {
    return this.main.getByText(/^Page \d+ \/ /)
  }

  get editor(): Locator {
    return this.main.getByRole('textbox', { name: 'SQL query' })
  }

  get result(): Locator {
    return this.main.getByRole('region', { name: 'Result', exact: true })
  }

  get history(): Locator {
    return this.main.getByRole('list', { name: 'History' }).getByRole('listitem')
  }

  /** An offer of the editor while one types. */
  completion(name: string): Locator {
    return this.page.getByRole('option', { name, exact: true })
  }

  async execute(query: string): Promise<void> {
    await this.editor.fill(query)
    await this.control('Execute').click()
  }

  /** A backup is known by its path. */
  backup(path: string): Locator {
    return entry(this.main, path)
  }

  restore(path: string): Locator {
    return control(this.backup(path), 'Restore')
  }

  get restoreQuestion(): Confirmation {
    return new Confirmation(
      this.page,
      'Are you sure you want to restore this backup? Current data will be overwritten.',
    )
  }

  get addDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Add Connection' })
  }
}
