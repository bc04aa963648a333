import type { Locator } from '@playwright/test'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export interface RouteFields {
  method?: string
  path?: string
  description?: string
  parameters?: string
}

export class ApiConfigurationPage extends Screen {
  readonly path = '/admin/api-config'
  readonly title = 'API Configuration'

  service(name: string): Locator {
    return entry(this.main, name)
  }

  async select(service: string): Promise<void> {
    await this.main.getByRole('button', { name: service }).click()
  }

  route(description: string): Locator {
    return entry(this.main, description)
  }

  action(description: string, name: RegExp): Locator {
    return control(this.route(description), name)
  }

  /** Fills the add form or the row being edited; only one is open in a test. */
  async fill({ method, path, description, parameters }: RouteFields): Promise<void> {
    if (method !== undefined) await this.main.getByLabel('Method').selectOption(method)
    if (path !== undefined) await this.main.getByLabel('Path').fill(path)
    if (description !== undefined) await this.main.getByLabel('Description').fill(description)
    if (parameters !== undefined) await this.main.getByLabel('Parameters').fill(parameters)
  }
}
